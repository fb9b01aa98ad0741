"""The tools for skills: those that list them, and those that read one or a file beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ..base.text.amounts import pluralize
from ..base.text.clip import clip_words
from ..comfy.snapshot import Environment, missing_types
from ..context.results import ResultBudget
from ..user.skills.library import Skill, SkillLibrary, merge
from ..user.skills.skill_files import format_file_list, list_files, read_skill_file
from ..user.skills.text_file import UnreadableFile
from .fitting import first_that_fit
from .tool import ServerTool, SkillSource, ToolResult, ToolServices, failure, success

_MAX_LISTED = 60
_MAX_SLUG = 100
_MAX_DESCRIPTION = 200
_MAX_PROBLEMS = 8
_HOW_TO_READ_FILES = "getUserSkill reads one of the files, with its path as the slug."


class NoInput(BaseModel):
    """These tools take no arguments."""


class SlugInput(BaseModel):
    slug: str


@dataclass(frozen=True)
class _Skills:
    """A set of skills with its owner, and where a call finds it."""

    whose: str
    untrusted: str | None
    of: Callable[[ToolServices], SkillSource]


def _list_skills(library: SkillLibrary, room: ResultBudget, *, whose: str, when_none: str) -> ToolResult:
    left_out = _left_out(library)
    if not library.skills:
        return success(f"There are no {whose} skills.", {"skills": [], "hint": when_none, **left_out})
    count = len(library.skills)

    def result(shown: Sequence[dict[str, str]]) -> ToolResult:
        others = [skill.slug for skill in library.skills[len(shown) :]]
        slugs = ", ".join(skill["slug"] for skill in shown)
        data = {"skills": shown, **({"others": others} if others else {}), **left_out}
        return success(f"{pluralize(count, f'{whose} skill')}: {slugs}.", data)

    skills = [
        {
            "slug": skill.slug,
            "name": skill.name,
            "description": clip_words(skill.description, _MAX_DESCRIPTION),
        }
        for skill in library.skills[:_MAX_LISTED]
    ]
    return first_that_fit(skills, room, result)


def _left_out(library: SkillLibrary) -> dict[str, Any]:
    """Return the problems of entries that are no skills, cut at whole words and to a few."""
    problems = [clip_words(str(diagnostic), _MAX_DESCRIPTION) for diagnostic in library.left_out]
    more = len(problems) - _MAX_PROBLEMS
    if more > 0:
        problems = [*problems[:_MAX_PROBLEMS], f"{more} more; the panel shows them all."]
    return {"leftOut": problems} if problems else {}


async def _read_skill(
    library: SkillLibrary, slug: str, environment: Environment, *, whose: str, listing_tool: str
) -> ToolResult:
    slug = slug[:_MAX_SLUG]
    skill = library.find(slug)
    if skill is None:
        closest = library.closest(slug)
        suggestion = f"Closest: {', '.join(closest)}. " if closest else ""
        return failure(f'There is no {whose} skill "{slug}".', f"{suggestion}{listing_tool} shows all.")
    data = {
        "slug": skill.slug,
        "name": skill.name,
        "description": skill.description,
        "content": skill.content + missing_types(skill.content, environment),
        **({"allowedTools": list(skill.allowed_tools)} if skill.allowed_tools else {}),
        **await _files(skill),
    }
    return success(f'Read the {whose} skill "{skill.slug}".', data)


async def _files(skill: Skill) -> dict[str, Any]:
    files, more = await asyncio.to_thread(list_files, skill)
    paths = [f"{skill.slug}/{path}" for path in files]
    if not files:
        return {}
    return {"files": paths, **({"moreFiles": more} if more else {}), "hint": _HOW_TO_READ_FILES}


async def _read_file(place: str, services: ToolServices) -> ToolResult:
    """Read a file by the skill's slug and its path; the user's skill wins over a system skill of that name."""
    slug, _, path = place.partition("/")
    slug = slug[:_MAX_SLUG]
    library = merge([await services.user_skills.library(), await services.system_skills.library()])
    skill = library.find(slug)
    if skill is None:
        closest = library.closest(slug)
        return failure(
            f'There is no skill "{slug}".',
            f"Closest: {', '.join(closest)}." if closest else "listUserSkills and listSystemSkills show all.",
        )
    try:
        text, diagnostics = await asyncio.to_thread(read_skill_file, skill, path)
    except UnreadableFile as error:
        files = await asyncio.to_thread(format_file_list, skill)
        there = f"Files of {skill.slug}: {files}." if files else f"{skill.slug} has no files."
        return failure(str(error.diagnostic), there)
    problems = [diagnostic.problem for diagnostic in diagnostics]
    data = {
        "slug": skill.slug,
        "path": path,
        "content": text,
        **({"problems": problems} if problems else {}),
    }
    return success(f'Read {path} of the skill "{skill.slug}".', data)


def _listing(
    skills: _Skills, *, name: str, description: str, label: str, when_none: str
) -> ServerTool[NoInput]:
    async def run(_: NoInput, services: ToolServices) -> ToolResult:
        library = await skills.of(services).library()
        return _list_skills(library, services.room, whose=skills.whose, when_none=when_none)

    return ServerTool(name=name, description=description, input=NoInput, run=run, label=label)


def _reading(
    skills: _Skills, *, name: str, description: str, label: str, listing_tool: str
) -> ServerTool[SlugInput]:
    async def run(arguments: SlugInput, services: ToolServices) -> ToolResult:
        if "/" in arguments.slug.strip("/. "):
            return await _read_file(arguments.slug.strip(), services)
        library = await skills.of(services).library()
        environment = await services.environment.snapshot()
        return await _read_skill(
            library, arguments.slug, environment, whose=skills.whose, listing_tool=listing_tool
        )

    return ServerTool(
        name=name,
        description=description,
        input=SlugInput,
        run=run,
        label=label,
        share="most",
        untrusted=skills.untrusted,
    )


_SYSTEM = _Skills("system", None, lambda services: services.system_skills)
_USER = _Skills("user", "a skill of the user's folder", lambda services: services.user_skills)

list_system_skills = _listing(
    _SYSTEM,
    name="listSystemSkills",
    description="List the assistant's skills.",
    label="List skills",
    when_none="Work by the rules that you have.",
)
get_system_skill = _reading(
    _SYSTEM,
    name="getSystemSkill",
    description="Read a skill of the assistant.",
    label="Read skill {slug}",
    listing_tool="listSystemSkills",
)
list_user_skills = _listing(
    _USER,
    name="listUserSkills",
    description="List the user's skills.",
    label="List your skills",
    when_none="The user can add one as skills/<name>/SKILL.md or skills/<name>.md.",
)
get_user_skill = _reading(
    _USER,
    name="getUserSkill",
    description="Read a skill of the user.",
    label="Read your skill {slug}",
    listing_tool="listUserSkills",
)

"""listSystemSkills, getSystemSkill, listUserSkills, getUserSkill: what skills there are, and one of them whole."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from ..skills.library import SkillLibrary
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MAX_LISTED = 60
_MAX_SLUG = 100
_MAX_DESCRIPTION = 200


class NoInput(BaseModel):
    """These tools take no arguments."""


class SlugInput(BaseModel):
    slug: str = Field(description="Slug or name of the skill.")


def _list_skills(library: SkillLibrary, *, whose: str, when_none: str) -> ToolResult:
    if not library.skills:
        return success(f"There are no {whose} skills.", {"skills": [], "hint": when_none})
    first_skills = library.skills[:_MAX_LISTED]
    data: dict[str, Any] = {
        "skills": [
            {"slug": skill.slug, "name": skill.name, "description": skill.description[:_MAX_DESCRIPTION]}
            for skill in first_skills
        ]
    }
    if len(library.skills) > len(first_skills):
        data["more"] = len(library.skills) - len(first_skills)
    slugs = ", ".join(skill.slug for skill in first_skills)
    noun = "skill" if len(library.skills) == 1 else "skills"
    return success(f"{len(library.skills)} {whose} {noun}: {slugs}.", data)


def _read_skill(library: SkillLibrary, slug: str, *, whose: str, listing_tool: str) -> ToolResult:
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
        "content": skill.content,
    }
    return success(f'Read the {whose} skill "{skill.slug}".', data)


async def _list_system_skills(_: NoInput, services: ToolServices) -> ToolResult:
    return _list_skills(
        await services.system_skills.library(),
        whose="system",
        when_none="Work by the rules that you have.",
    )


list_system_skills = ServerTool(
    name="listSystemSkills",
    description="List the skills for models and tasks that come with the assistant.",
    input=NoInput,
    run=_list_system_skills,
    label="List skills",
)


async def _get_system_skill(arguments: SlugInput, services: ToolServices) -> ToolResult:
    return _read_skill(
        await services.system_skills.library(),
        arguments.slug,
        whose="system",
        listing_tool="listSystemSkills",
    )


get_system_skill = ServerTool(
    name="getSystemSkill",
    description="Read a skill of the assistant.",
    input=SlugInput,
    run=_get_system_skill,
    label="Read skill {slug}",
    keeps="whole",
)


async def _list_user_skills(_: NoInput, services: ToolServices) -> ToolResult:
    return _list_skills(
        await services.user_skills.library(),
        whose="user",
        when_none="The user can add one as skills/<name>/SKILL.md.",
    )


list_user_skills = ServerTool(
    name="listUserSkills",
    description="List the skills that the user wrote.",
    input=NoInput,
    run=_list_user_skills,
    label="List your skills",
)


async def _get_user_skill(arguments: SlugInput, services: ToolServices) -> ToolResult:
    return _read_skill(
        await services.user_skills.library(),
        arguments.slug,
        whose="user",
        listing_tool="listUserSkills",
    )


get_user_skill = ServerTool(
    name="getUserSkill",
    description="Read a skill that the user wrote.",
    input=SlugInput,
    run=_get_user_skill,
    label="Read your skill {slug}",
    keeps="whole",
)

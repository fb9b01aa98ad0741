"""Routes for the skills of the system and for those of the user."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING

from ..tools.tool import SkillSource
from ..user.skills.diagnostic import Diagnostic
from ..user.skills.library import Skill, SkillLibrary, unknown_skill
from ..user.skills.skill_files import list_files
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class SkillHandlers:
    """`tools` are the names that skills can allow."""

    def __init__(self, prefix: str, source: SkillSource, *, tools: Collection[str] = ()) -> None:
        self._tools = tools
        self._prefix = prefix
        self._source = source

    def routes(self) -> list[Route]:
        return [
            Route("GET", f"{self._prefix}/skills", self.list),
            Route("GET", f"{self._prefix}/skills/{{slug}}", self.read),
        ]

    async def list(self, _: web.Request) -> web.Response:
        library = await self._source.library()
        diagnostics = (*library.diagnostics, *unknown_tools(library, self._tools))
        return reply(
            {
                "skills": [_as_json(skill) for skill in library.skills],
                "diagnostics": [diagnostic.as_json() for diagnostic in diagnostics],
            }
        )

    async def read(self, request: web.Request) -> web.Response:
        library, slug = await self._source.library(), request.match_info["slug"]
        skill = library.find(slug)
        if skill is None:
            raise unknown_skill(slug, library)
        files, _ = await asyncio.to_thread(list_files, skill)
        more = {
            "license": skill.license,
            "metadata": dict(skill.metadata),
            "allowedTools": list(skill.allowed_tools),
            "files": files,
        }
        return reply(
            {
                **_as_json(skill),
                "content": skill.content,
                **{name: value for name, value in more.items() if value},
            }
        )


def _as_json(skill: Skill) -> dict[str, str]:
    return {
        "slug": skill.slug,
        "name": skill.name,
        "description": skill.description,
        "source": skill.source,
    }


def unknown_tools(library: SkillLibrary, tools: Collection[str]) -> list[Diagnostic]:
    """Return a diagnostic for each skill that allows unknown tools; if it allows no others, all may be called."""
    found = []
    for skill in library.skills:
        unknown = [name for name in skill.allowed_tools if name not in tools]
        if unknown:
            problem = f"Its allowed-tools name what is no tool here: {', '.join(unknown)}."
            is_all = len(unknown) == len(skill.allowed_tools)
            action = (
                "All tools may be called for it." if is_all else "The others are the ones that it allows."
            )
            found.append(Diagnostic(skill.source, problem, action))
    return found

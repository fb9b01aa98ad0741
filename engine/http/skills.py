"""Routes for skills: those of the system and those of the user."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..skills.library import Skill, unknown_skill
from ..skills.skill_files import files_of
from ..tools.tool import SkillSource
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class SkillHandlers:
    def __init__(self, prefix: str, source: SkillSource) -> None:
        self._prefix = prefix
        self._source = source

    def routes(self) -> list[Route]:
        return [
            Route("GET", f"{self._prefix}/skills", self.list),
            Route("GET", f"{self._prefix}/skills/{{slug}}", self.read),
        ]

    async def list(self, _: web.Request) -> web.Response:
        library = await self._source.library()
        return reply(
            {
                "skills": [_as_json(skill) for skill in library.skills],
                "diagnostics": [diagnostic.as_json() for diagnostic in library.diagnostics],
            }
        )

    async def read(self, request: web.Request) -> web.Response:
        library, slug = await self._source.library(), request.match_info["slug"]
        skill = library.find(slug)
        if skill is None:
            raise unknown_skill(slug, library)
        files, _ = await asyncio.to_thread(files_of, skill)
        more = {"license": skill.license, "metadata": dict(skill.metadata), "files": files}
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

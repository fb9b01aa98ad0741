"""Routes for personas: which there are, the text of one, and which one a thread has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..errors import RequestError
from ..person.own_documents import Document
from ..skills.personas import Personas
from ..store.threads import ThreadStore
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class PersonaSource(Protocol):
    async def personas(self) -> Personas: ...

    async def read_persona(self, slug: str) -> Document: ...

    async def write_persona(self, slug: str, text: str, seen: str) -> Document: ...


class PersonaHandlers:
    def __init__(self, source: PersonaSource, threads: ThreadStore) -> None:
        self._source = source
        self._threads = threads

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/personas", self.list),
            Route("GET", "/assistant/personas/{persona}", self.text),
            Route("PUT", "/assistant/personas/{persona}", self.write),
            Route("GET", "/assistant/threads/{id}/persona", self.read),
            Route("PUT", "/assistant/threads/{id}/persona", self.choose),
        ]

    async def list(self, _: web.Request) -> web.Response:
        personas = await self._source.personas()
        return reply(
            {
                "personas": [persona.as_json() for persona in personas.found],
                "diagnostics": [diagnostic.as_json() for diagnostic in personas.diagnostics],
            }
        )

    async def text(self, request: web.Request) -> web.Response:
        return reply((await self._source.read_persona(request.match_info["persona"])).as_json())

    async def write(self, request: web.Request) -> web.Response:
        match await read_json(request):
            case {"text": str(text), "seen": str(seen)}:
                slug = request.match_info["persona"]
                return reply((await self._source.write_persona(slug, text, seen)).as_json())
            case _:
                raise RequestError(
                    "invalid_request",
                    "text and seen are missing; expected the new text and the one that was shown.",
                    hint='Send {"text": "…", "seen": "…"}; an empty text deletes the persona.',
                )

    async def read(self, request: web.Request) -> web.Response:
        return reply(await self._persona_of(request.match_info["id"]))

    async def choose(self, request: web.Request) -> web.Response:
        thread_id, name = request.match_info["id"], (await read_json(request)).get("name")
        if not isinstance(name, str):
            raise RequestError(
                "invalid_request",
                "name is missing; expected the name of a persona.",
                hint='Send {"name": "…"}, or {"name": ""} for none.',
            )
        persona = (await self._source.personas()).named(name) if name.strip() else None
        await self._threads.choose_persona(thread_id, persona.slug if persona else "")
        return reply(await self._persona_of(thread_id))

    async def _persona_of(self, thread_id: str) -> dict[str, object]:
        """`chosen` may be the name of one whose folder is gone: then it is as if there were none."""
        chosen = (await self._threads.read(thread_id)).persona
        persona = (await self._source.personas()).get(chosen)
        return {"chosen": chosen, "persona": persona.as_json() if persona else None}

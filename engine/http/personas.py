"""Routes for personas: their list and texts, and the persona of a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pydantic import Field

from ..base.request_body import Body
from ..store.threads import ThreadStore
from ..user.documents import Document
from ..user.personas import Personas
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class PersonaBody(Body):
    text: str = Field(description="the whole file; an empty text deletes the persona")
    seen: str = Field(description='the text that it replaces, "" for a new persona')


class PersonaChoiceBody(Body):
    name: str = Field(description='a name, a slug, or the unambiguous beginning of one; "" for none')


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
            body_route("PUT", "/assistant/personas/{persona}", PersonaBody, self.write),
            Route("GET", "/assistant/threads/{id}/persona", self.read),
            body_route("PUT", "/assistant/threads/{id}/persona", PersonaChoiceBody, self.choose),
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

    async def write(self, request: web.Request, body: PersonaBody) -> web.Response:
        slug = request.match_info["persona"]
        return reply((await self._source.write_persona(slug, body.text, body.seen)).as_json())

    async def read(self, request: web.Request) -> web.Response:
        return reply(await self._read_persona(request.match_info["id"]))

    async def choose(self, request: web.Request, body: PersonaChoiceBody) -> web.Response:
        thread_id = request.match_info["id"]
        persona = (await self._source.personas()).find(body.name) if body.name.strip() else None
        await self._threads.choose_persona(thread_id, persona.slug if persona else "")
        return reply(await self._read_persona(thread_id))

    async def _read_persona(self, thread_id: str) -> dict[str, object]:
        """Return the thread's persona. `chosen` may name one whose folder is gone; `persona` is None then."""
        chosen = (await self._threads.read(thread_id)).persona
        persona = (await self._source.personas()).get(chosen)
        return {"chosen": chosen, "persona": persona.as_json() if persona else None}

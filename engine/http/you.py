"""Routes for what the user tells the assistant: rules, preferences, goals, persona, the base prompt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import Field

from ..base.errors import RequestError
from ..base.request_body import Body
from ..store.user_entries import Change, Entry, Kind
from ..user.documents import Document
from ..user.skills.diagnostic import Diagnostic
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web

_KINDS: tuple[Kind, ...] = ("rules", "preferences")
_DOCUMENTS = ("goals", "persona", "base")


class EntryBody(Body):
    text: str = Field(description="the rule, or the name of the preference")
    value: str | None = Field(None, description="the value of a preference")


class EntryChangeBody(Body):
    text: str = Field(description="the text of the entry")
    new_text: str | None = Field(None, description="the new text")
    value: str | None = Field(None, description="the new value of a preference")
    is_on: bool | None = Field(None, description="whether chats use it")
    before: str | None = Field(None, description='the text of the entry to move it before, "" for the end')
    repeats: bool | None = Field(None, description="for a rule: whether each message repeats it")


class DeletedEntryBody(Body):
    text: str = Field(description="the text of the entry")


class DocumentChangeBody(Body):
    text: str | None = Field(None, description='the whole text; "" deletes the file in the data folder')
    seen: str = Field("", description="the text that it replaces")
    is_on: bool | None = Field(None, description="whether chats use it; not for `base`")


class UserEntrySource(Protocol):
    async def entries(self, kind: Kind) -> Sequence[Entry]: ...

    async def remember(self, kind: Kind, text: str, value: str = "") -> Entry: ...

    async def change(self, kind: Kind, text: str, change: Change) -> Entry: ...

    async def forget(self, kind: Kind, text: str) -> None: ...

    async def documents(self) -> list[dict[str, Any]]: ...

    async def problems(self) -> tuple[Diagnostic, ...]: ...

    async def write_document(self, name: Any, text: str, seen: str) -> Document: ...

    async def switch_document(self, name: Any, *, is_on: bool) -> None: ...

    async def end_first_run(self) -> None: ...


class YouHandlers:
    """`told` returns what a new chat would be sent of it all."""

    def __init__(self, source: UserEntrySource, told: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        self._source = source
        self._told = told

    def routes(self) -> list[Route]:
        entries = "/assistant/you/{kind}"
        return [
            Route("GET", "/assistant/you", self.all),
            body_route(
                "PATCH", "/assistant/you/documents/{document}", DocumentChangeBody, self.change_document
            ),
            Route("DELETE", "/assistant/first-run", self.end_first_run),
            Route("GET", entries, self.list),
            body_route("POST", entries, EntryBody, self.remember),
            body_route("PATCH", entries, EntryChangeBody, self.change),
            body_route("DELETE", entries, DeletedEntryBody, self.forget),
        ]

    async def all(self, _: web.Request) -> web.Response:
        lists = {kind: [each.as_json() for each in await self._source.entries(kind)] for kind in _KINDS}
        return reply(
            {
                **lists,
                "documents": await self._source.documents(),
                "diagnostics": [each.as_json() for each in await self._source.problems()],
                "told": await self._told(),
            }
        )

    async def list(self, request: web.Request) -> web.Response:
        entries = await self._source.entries(_kind(request))
        return reply({"entries": [entry.as_json() for entry in entries]})

    async def remember(self, request: web.Request, body: EntryBody) -> web.Response:
        entry = await self._source.remember(_kind(request), body.text, body.value or "")
        return reply(entry.as_json(), status=201)

    async def change(self, request: web.Request, body: EntryChangeBody) -> web.Response:
        change = Change(
            text=body.new_text, value=body.value, is_on=body.is_on, before=body.before, repeats=body.repeats
        )
        return reply((await self._source.change(_kind(request), body.text, change)).as_json())

    async def forget(self, request: web.Request, body: DeletedEntryBody) -> web.Response:
        from aiohttp import web

        await self._source.forget(_kind(request), body.text)
        return web.Response(status=204)

    async def end_first_run(self, _: web.Request) -> web.Response:
        from aiohttp import web

        await self._source.end_first_run()
        return web.Response(status=204)

    async def change_document(self, request: web.Request, body: DocumentChangeBody) -> web.Response:
        name = request.match_info["document"]
        if name not in _DOCUMENTS:
            raise _unknown("document", name, _DOCUMENTS)
        if body.is_on is not None and name != "base":
            await self._source.switch_document(name, is_on=body.is_on)
        if body.text is not None:
            await self._source.write_document(name, body.text, body.seen)
        documents = await self._source.documents()
        return reply(next(document for document in documents if document["name"] == name))


def _kind(request: web.Request) -> Kind:
    kind = request.match_info["kind"]
    for known in _KINDS:
        if kind == known:
            return known
    raise _unknown("kind", kind, _KINDS)


def _unknown(what: str, name: str, known: tuple[str, ...]) -> RequestError:
    return RequestError(
        "not_found",
        f'There is no {what} "{name[:40]}"; there are {", ".join(known)}.',
        hint="See docs/api.md.",
        status=404,
    )

"""Routes for what the person tells the assistant: rules, preferences, goals, persona, the base prompt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..base.errors import RequestError
from ..store.user_entries import Change, Entry, Kind
from ..user.documents import Document
from ..user.skills.diagnostic import Diagnostic
from .body import read_json
from .route_guard import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

Value = TypeVar("Value", str, bool)

_KINDS: tuple[Kind, ...] = ("rules", "preferences")
_DOCUMENTS = ("goals", "persona", "base")


class WordsOfTheirOwn(Protocol):
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
    """`told` says what a new chat would be told of it all."""

    def __init__(self, words: WordsOfTheirOwn, told: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        self._words = words
        self._told = told

    def routes(self) -> list[Route]:
        entries = "/assistant/you/{kind}"
        return [
            Route("GET", "/assistant/you", self.all),
            Route("PATCH", "/assistant/you/documents/{document}", self.change_document),
            Route("DELETE", "/assistant/first-run", self.end_first_run),
            Route("GET", entries, self.list),
            Route("POST", entries, self.remember),
            Route("PATCH", entries, self.change),
            Route("DELETE", entries, self.forget),
        ]

    async def all(self, _: web.Request) -> web.Response:
        lists = {kind: [each.as_json() for each in await self._words.entries(kind)] for kind in _KINDS}
        return reply(
            {
                **lists,
                "documents": await self._words.documents(),
                "diagnostics": [each.as_json() for each in await self._words.problems()],
                "told": await self._told(),
            }
        )

    async def list(self, request: web.Request) -> web.Response:
        entries = await self._words.entries(_kind(request))
        return reply({"entries": [entry.as_json() for entry in entries]})

    async def remember(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        value = _optional(body, "value", str) or ""
        entry = await self._words.remember(_kind(request), _text(body), value)
        return reply(entry.as_json(), status=201)

    async def change(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        change = Change(
            text=_optional(body, "newText", str),
            value=_optional(body, "value", str),
            is_on=_optional(body, "isOn", bool),
            before=_optional(body, "before", str),
            repeats=_optional(body, "repeats", bool),
        )
        return reply((await self._words.change(_kind(request), _text(body), change)).as_json())

    async def forget(self, request: web.Request) -> web.Response:
        from aiohttp import web

        await self._words.forget(_kind(request), _text(await read_json(request)))
        return web.Response(status=204)

    async def end_first_run(self, _: web.Request) -> web.Response:
        from aiohttp import web

        await self._words.end_first_run()
        return web.Response(status=204)

    async def change_document(self, request: web.Request) -> web.Response:
        name, body = request.match_info["document"], await read_json(request)
        if name not in _DOCUMENTS:
            raise _unknown("document", name, _DOCUMENTS)
        text, is_on = _optional(body, "text", str), _optional(body, "isOn", bool)
        if is_on is not None and name != "base":
            await self._words.switch_document(name, is_on=is_on)
        if text is not None:
            await self._words.write_document(name, text, _optional(body, "seen", str) or "")
        documents = await self._words.documents()
        return reply(next(document for document in documents if document["name"] == name))


def _kind(request: web.Request) -> Kind:
    kind = request.match_info["kind"]
    for known in _KINDS:
        if kind == known:
            return known
    raise _unknown("kind", kind, _KINDS)


def _text(body: dict[str, Any]) -> str:
    text = body.get("text")
    if not isinstance(text, str):
        raise RequestError("invalid_request", "text is missing; expected a text.", hint='Send {"text": "…"}.')
    return text


def _optional(body: dict[str, Any], name: str, kind: type[Value]) -> Value | None:
    value = body.get(name)
    if value is None or isinstance(value, kind):
        return value
    expected = "true or false" if kind is bool else "a text"
    raise RequestError(
        "invalid_request", f"{name} is {str(value)[:40]!r}; expected {expected}.", hint="See docs/api.md."
    )


def _unknown(what: str, name: str, known: tuple[str, ...]) -> RequestError:
    return RequestError(
        "not_found",
        f'There is no {what} "{name[:40]}"; there are {", ".join(known)}.',
        hint="See docs/api.md.",
        status=404,
    )

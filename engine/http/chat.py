"""The routes of the chat: a request in, the events of its answer out, once or again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..chat.live_turns import LiveTurn, LiveTurns
from ..chat.page_claims import PageClaims
from ..chat.pages.turn_pages import MeantWorkflow, TurnPages, read_meant_workflow
from ..chat.question.request import parse_chat_request
from ..chat.running import RunningTurns
from ..chat.stops import Stops
from ..errors import RequestError
from ..store.threads import ThreadStore
from .body import read_json
from .guarded import Route, reply
from .query import whole_number
from .sse_response import send_stream

if TYPE_CHECKING:
    from aiohttp import web

CONTEXT_HEADER = "X-Assistant-Context"
"""`<tokens>/<window> <form>` of the first request of a response, and which files its system message leaves out."""
RESPONSE_HEADER = "X-Assistant-Response"
"""Names the response, so that nobody goes on with another one."""
_MOST_SOURCES = 12
_MOST_EVENTS = 99_999_999
_LONGEST_ID = 256


class ChatHandlers:
    def __init__(
        self,
        turns: LiveTurns,
        threads: ThreadStore,
        pages: TurnPages,
        stops: Stops,
        *,
        running: RunningTurns,
        claims: PageClaims,
    ) -> None:
        self._turns = turns
        self._running = running
        self._threads = threads
        self._pages = pages
        self._stops = stops
        self._claims = claims

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/chat", self.chat),
            Route("GET", "/assistant/threads/{id}/stream", self.resume),
            Route("POST", "/assistant/threads/{id}/stop", self.stop),
            Route("POST", "/assistant/threads/{id}/page", self.claim),
        ]

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer the newest message, or go on after tool results: docs/api.md, POST /chat."""
        chat_request = parse_chat_request(await read_json(request))
        self._stops.listen()
        keeps_reports = request.query.get("debug") == "context"
        live = await self._turns.begin(chat_request, keeps_reports=keeps_reports)
        if chat_request.thread_id is not None and chat_request.page is not None:
            workflow = read_meant_workflow(chat_request.workflow)
            answer = live.beginning.message_id if live.beginning else ""
            await self._claims.begin(chat_request.thread_id, chat_request.page, workflow, answer=answer)
        return await send_stream(request, live.read(), headers=_headers(live))

    async def resume(self, request: web.Request) -> web.StreamResponse:
        """The running response, or the one that was over just now, from an event on; 204 where there is none, or where
        it is so long that this event is forgotten. What another process streams cannot be read here.
        """
        from aiohttp import web

        thread_id = request.match_info["id"]
        start = whole_number(request, "from", least=0, most=_MOST_EVENTS) or 0
        await self._threads.read(thread_id)
        live = self._turns.of(thread_id)
        if live is not None and request.query.get("response", live.id) == live.id and live.has(start):
            return await send_stream(request, live.read(start), headers=_headers(live))
        if await self._running.is_elsewhere(thread_id):
            raise RequestError(
                "turn_elsewhere",
                "The answer is written by another process of ComfyUI, which shares the store with this one.",
                hint="Read the thread: it has what was saved of the answer by now, and all of it once it is over.",
                status=409,
            )
        return web.Response(status=204)

    async def stop(self, request: web.Request) -> web.Response:
        """What the response had by then is kept."""
        thread_id = request.match_info["id"]
        body = await read_json(request)
        named = {field: body.get(field) for field in ("response", "answer")}
        for field, value in named.items():
            if value is not None and not isinstance(value, str):
                raise RequestError(
                    "invalid_request",
                    f"{field} is {type(value).__name__}; expected a text.",
                    hint="Name a response or the message that it goes into; leave both out to stop whichever runs.",
                )
        thread = await self._threads.read(thread_id)
        # A turn that began since is none of those that are meant.
        newest = thread.messages[-1] if thread.messages else {}
        if named["response"] is None and named["answer"] in (None, newest.get("id")):
            self._pages.stop(thread_id)
        question = newest["id"] if newest.get("role") == "user" else None
        return reply({"stopped": await self._stops.stop(thread_id, **named, question=question)})

    async def claim(self, request: web.Request) -> web.Response:
        """How far the thread's turn is, and whether `page` makes the calls of the browser's tools in it.

        Where it does, it may say that it begins one, and on which workflow.
        """
        thread_id = request.match_info["id"]
        body = await read_json(request)
        page, call = _id(body, "page"), _id(body, "call") if "call" in body else None
        workflow = _workflow(body)
        claim = await self._claims.claim(thread_id, page)
        if claim.is_mine:
            self._stops.listen()
            if call is not None:
                self._pages.begin_call(thread_id, call, body.get("note"), workflow)
        meant = self._pages.workflow(thread_id)
        return reply(
            {
                "isOver": claim.is_over,
                "isMine": claim.is_mine,
                "response": None if claim.live is None else claim.live.id,
                "begun": dict(self._pages.begun(thread_id)),
                **({"elsewhere": True} if claim.is_elsewhere else {}),
                **({} if meant is None else {"workflow": meant.as_json()}),
            }
        )


def _id(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ID:
        raise RequestError(
            "invalid_request",
            f"{name} is {type(value).__name__}; expected a text of 1 to {_LONGEST_ID} characters.",
            hint="A page goes by the sid that ComfyUI's websocket tells it, a call by its toolCallId.",
        )
    return value


def _workflow(body: Mapping[str, Any]) -> MeantWorkflow | None:
    workflow = read_meant_workflow(body.get("workflow"))
    if workflow is None and body.get("workflow") is not None:
        raise RequestError(
            "invalid_request",
            f"workflow is {type(body['workflow']).__name__}; expected an object with a name.",
            hint="It is the one on which the call is made: {name, file?, id?}.",
        )
    return workflow


def _headers(live: LiveTurn) -> dict[str, str]:
    named = {RESPONSE_HEADER: live.id}
    if live.beginning is None or live.beginning.first_request is None:
        return named
    plan = live.beginning.first_request
    value = f"{plan.tokens}/{plan.window} {plan.form}"
    sources = [quote(entry.source, safe="/") for entry in plan.left_out[:_MOST_SOURCES]]
    if len(plan.left_out) > _MOST_SOURCES:
        sources.append(f"+{len(plan.left_out) - _MOST_SOURCES}")
    return {**named, CONTEXT_HEADER: f"{value}; left-out={','.join(sources)}" if sources else value}

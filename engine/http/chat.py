"""The routes of the chat: a request in, the events of its answer out, once or again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

from pydantic import AfterValidator, Field

from ..base.errors import RequestError
from ..base.request_body import Body
from ..chat.incoming.request import ChatBody
from ..chat.response_streams import ResponseStream, ResponseStreams
from ..chat.stops import Stops
from ..chat.tab_claims import TabClaims
from ..chat.turn_locks import TurnLocks
from ..chat.turn_tabs import TurnTabs, read_meant_workflow
from ..store.threads import ThreadStore
from ..stream import sse
from .body import body_route
from .guard import SECURITY_HEADERS, Route, is_disconnected
from .json_reply import reply
from .query import whole_number

if TYPE_CHECKING:
    from aiohttp import web

logger = logging.getLogger(__name__)

CONTEXT_HEADER = "X-Assistant-Context"
"""The header `<tokens>/<window> <form>` of a response's first request, with the files that its system message leaves
out.
"""
RESPONSE_HEADER = "X-Assistant-Response"
"""The header with the name of a response, so that no page continues with another one."""
_MOST_SOURCES = 12
_MOST_EVENTS = 99_999_999
_LONGEST_ID = 256
_LOOK_SECONDS = 0.25
_PING_SECONDS = 5.0


def _check_workflow(posted: dict[str, Any]) -> dict[str, Any]:
    if read_meant_workflow(posted) is None:
        raise ValueError("an object with a name")
    return posted


class StopBody(Body):
    response: str | None = Field(None, description="the name of the response to stop, by default any")
    answer: str | None = Field(None, description="the id of the answer to stop")


class ClaimBody(Body):
    page: Annotated[str, Field(min_length=1, max_length=_LONGEST_ID)] = Field(
        description="the page that asks, as in `POST /api/chat`"
    )
    call: Annotated[str, Field(min_length=1, max_length=_LONGEST_ID)] | None = Field(
        None, description="the id of the call that the page begins, if it is its turn"
    )
    note: Any = Field(None, description="what another page needs to continue that call")
    workflow: Annotated[dict[str, Any], AfterValidator(_check_workflow)] | None = Field(
        None, description="`{name, file?, id?}`: the workflow of the call"
    )


class ChatHandlers:
    def __init__(
        self,
        response_streams: ResponseStreams,
        threads: ThreadStore,
        tabs: TurnTabs,
        stops: Stops,
        *,
        turn_locks: TurnLocks,
        claims: TabClaims,
    ) -> None:
        self._response_streams = response_streams
        self._turn_locks = turn_locks
        self._threads = threads
        self._tabs = tabs
        self._stops = stops
        self._claims = claims

    def routes(self) -> list[Route]:
        return [
            body_route("POST", "/chat", ChatBody, self.chat),
            Route("GET", "/assistant/threads/{id}/stream", self.resume),
            body_route("POST", "/assistant/threads/{id}/stop", StopBody, self.stop),
            body_route("POST", "/assistant/threads/{id}/page", ClaimBody, self.claim),
        ]

    async def chat(self, request: web.Request, body: ChatBody) -> web.StreamResponse:
        """Answer the newest message, or continue after tool results: docs/api.md, POST /chat."""
        chat_request = body.request()
        keeps_reports = request.query.get("debug") == "context"
        live = await self._response_streams.begin(chat_request, keeps_reports=keeps_reports)
        if chat_request.thread_id is not None and chat_request.page is not None:
            workflow = read_meant_workflow(chat_request.workflow)
            answer = live.beginning.message_id if live.beginning else ""
            # The page that posted the request carries out the answer's calls, whichever page did before.
            self._tabs.put(chat_request.thread_id, chat_request.page, workflow, answer=answer)
        return await send_stream(request, live.read(), headers=_headers(live))

    async def resume(self, request: web.Request) -> web.StreamResponse:
        """Send the running response, or the one that has just ended, from an event on.

        Reply 204 if there is none, or if the event is no longer kept. Responses of other processes cannot be read.
        """
        from aiohttp import web

        thread_id = request.match_info["id"]
        start = whole_number(request, "from", least=0, most=_MOST_EVENTS) or 0
        await self._threads.read(thread_id)
        live = self._response_streams.newest(thread_id)
        if live is not None and request.query.get("response", live.id) == live.id and live.has(start):
            return await send_stream(request, live.read(start), headers=_headers(live))
        if await self._turn_locks.is_elsewhere(thread_id):
            raise RequestError(
                "turn_elsewhere",
                "The answer is written by another process of ComfyUI, which shares the store with this one.",
                hint="Read the thread: it has what was saved of the answer by now, and all of it once it is over.",
                status=409,
            )
        return web.Response(status=204)

    async def stop(self, request: web.Request, body: StopBody) -> web.Response:
        """Stop a response. Its text so far is kept."""
        thread_id = request.match_info["id"]
        thread = await self._threads.read(thread_id)
        # A turn that began since is not meant.
        newest = thread.messages[-1] if thread.messages else {}
        if body.response is None and body.answer in (None, newest.get("id")):
            self._tabs.stop(thread_id)
        stopped = await self._stops.stop(thread_id, response=body.response, answer=body.answer)
        return reply({"stopped": stopped})

    async def claim(self, request: web.Request, body: ClaimBody) -> web.Response:
        """Return the state of the thread's turn, and whether `page` carries out the browser tool calls in it.

        If it does, it may announce that it begins a call, and on which workflow.
        """
        thread_id = request.match_info["id"]
        claim = await self._claims.claim(thread_id, body.page)
        if claim.is_mine and body.call is not None:
            self._tabs.begin_call(thread_id, body.call, body.note, read_meant_workflow(body.workflow))
        meant = self._tabs.workflow(thread_id)
        return reply(
            {
                "isOver": claim.is_over,
                "isMine": claim.is_mine,
                "response": None if claim.live is None else claim.live.id,
                "begun": dict(self._tabs.begun(thread_id)),
                **({"elsewhere": True} if claim.is_elsewhere else {}),
                **({} if meant is None else {"workflow": meant.as_json()}),
            }
        )


def _headers(live: ResponseStream) -> dict[str, str]:
    named = {RESPONSE_HEADER: live.id}
    if live.beginning is None or live.beginning.first_request is None:
        return named
    plan = live.beginning.first_request
    value = f"{plan.tokens}/{plan.window} {plan.form}"
    sources = [quote(entry.source, safe="/") for entry in plan.left_out[:_MOST_SOURCES]]
    if len(plan.left_out) > _MOST_SOURCES:
        sources.append(f"+{len(plan.left_out) - _MOST_SOURCES}")
    return {**named, CONTEXT_HEADER: f"{value}; left-out={','.join(sources)}" if sources else value}


async def send_stream(
    request: web.Request, events: AsyncGenerator[bytes, None], *, headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    """Write server-sent events as they come, with a comment every 5 s while there are none, and `[DONE]` at the end.

    aiohttp does not cancel a handler whose client has gone, and a silent model would keep it waiting forever. So the
    connection is checked four times a second, and the generator is closed once nobody listens. An error ends the
    stream and is logged: once a response has begun, no other one can be sent.
    """
    from aiohttp import web

    response = web.StreamResponse(headers={**sse.HEADERS, **SECURITY_HEADERS, **(headers or {})})
    try:
        await response.prepare(request)
    except ConnectionError:
        # The client left before the response began; aiohttp would log a raised error as our fault.
        await events.aclose()
        return response
    pump = asyncio.create_task(_pump(response, events))
    last_ping = time.monotonic()
    try:
        while not pump.done():
            await asyncio.wait({pump}, timeout=_LOOK_SECONDS)
            if is_disconnected(request):
                break
            if not pump.done() and time.monotonic() - last_ping >= _PING_SECONDS:
                last_ping = time.monotonic()
                with contextlib.suppress(ConnectionError):
                    await response.write(sse.PING)
    finally:
        if not pump.done():
            pump.cancel()
        try:
            await pump
        except (asyncio.CancelledError, ConnectionError):
            pass
        except Exception as error:
            logger.error("%s: the stream broke off (%s: %s)", request.path, type(error).__name__, error)
    return response


async def _pump(response: web.StreamResponse, events: AsyncGenerator[bytes, None]) -> None:
    async with contextlib.aclosing(events):
        async for event in events:
            await response.write(event)
    await response.write(sse.DONE)

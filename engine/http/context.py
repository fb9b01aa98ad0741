"""Routes that show what is in a thread's context, and let a person act on it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..chat.answering import OpenContext
from ..chat.running import RunningTurns
from ..chat.thread_contexts import ThreadContexts
from ..chat.turn_context import report_cached_share
from ..context.compaction import cleared
from ..context.emergency import ContextTooSmall
from ..context.plan import Condense, Plan
from ..errors import RequestError
from ..llm import failures
from ..store.compactions import StoredCompaction
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

_ACTIONS = ("clear", "compact", "undo")
_LONGEST_FOCUS = 400


class ContextHandlers:
    def __init__(
        self,
        open_context: Callable[[str], Awaitable[OpenContext]],
        contexts: ThreadContexts,
        running: RunningTurns,
    ) -> None:
        self._open = open_context
        self._contexts = contexts
        self._running = running

    def routes(self) -> list[Route]:
        thread = "/assistant/threads/{id}"
        return [
            Route("GET", f"{thread}/context", self.report),
            Route("POST", f"{thread}/context", self.act),
        ]

    async def report(self, request: web.Request) -> web.Response:
        return reply(await self._report(request.match_info["id"]))

    async def act(self, request: web.Request) -> web.Response:
        """`clear` lets the model begin afresh, `compact` condenses now, `undo` takes the newest of both back."""
        thread_id, body = request.match_info["id"], await read_json(request)
        action, focus = body.get("action"), body.get("focus", "")
        if action not in _ACTIONS:
            raise _invalid("action", action, f"one of {', '.join(_ACTIONS)}")
        if not isinstance(focus, str) or len(focus) > _LONGEST_FOCUS:
            raise _invalid("focus", focus, f"a text of at most {_LONGEST_FOCUS} characters")
        async with self._running.only_one(thread_id):
            if action == "undo":
                await self._undo(thread_id)
            elif action == "clear":
                await self._clear(await self._open(thread_id))
            else:
                await self._compact(await self._open(thread_id), focus)
        return reply(await self._report(thread_id))

    async def _report(self, thread_id: str) -> dict[str, Any]:
        opened = await self._open(thread_id)
        planned = await _planned(opened)
        sent = await self._contexts.requests.list(thread_id)
        counted = next((each for each in reversed(sent) if each.input_tokens is not None), None)
        usage, cached = None, {}
        if counted is not None:
            usage = {
                "inputTokens": counted.input_tokens,
                "cachedInputTokens": counted.cached_input_tokens,
                "outputTokens": counted.output_tokens,
            }
            if counted.input_tokens and counted.cached_input_tokens is not None:
                cached = report_cached_share(counted.cached_input_tokens / counted.input_tokens)
        return {
            "threadId": thread_id,
            **opened.context.report(planned, len(sent)),
            **cached,
            "model": opened.model,
            "lastUsage": usage,
            "history": [each.as_json() for each in opened.state.compactions if each.status != "pending"],
            "pins": [pin.as_json() for pin in opened.state.pins],
            "goals": opened.goals,
        }

    async def _clear(self, opened: OpenContext) -> None:
        """Also where nothing fits the window any more: what stood before is a figure for the divider only."""
        try:
            tokens = (await opened.context.plan(opened.conversation)).tokens
        except ContextTooSmall as error:
            tokens = error.needed
        state = cleared(opened.conversation)
        await opened.context.write_compaction(state, "clear", tokens_before=tokens, tokens_after=0)

    async def _compact(self, opened: OpenContext, focus: str) -> None:
        planned = await _planned(opened, force=Condense(focus))
        if planned.new_compaction is None:
            raise RequestError(
                "nothing_to_condense",
                "There is nothing to condense yet: only the newest turn is in the context.",
                hint="/context shows what the model is sent.",
                status=409,
            )
        await opened.context.write_compaction(
            planned.new_compaction,
            "manual",
            tokens_before=planned.tokens_before,
            tokens_after=planned.tokens,
        )

    async def _undo(self, thread_id: str) -> None:
        state = await self._contexts.state(thread_id)
        newest = next((each for each in reversed(state.compactions) if _is_undoable(each)), None)
        if newest is None:
            raise RequestError(
                "nothing_to_undo",
                "Nothing was condensed or cleared in this thread that could be taken back.",
                hint="/context shows what the model is sent.",
                status=409,
            )
        await self._contexts.compactions.void(thread_id, newest.id)


async def _planned(opened: OpenContext, *, force: Condense | None = None) -> Plan:
    try:
        return await opened.context.plan(opened.conversation, force=force)
    except ContextTooSmall as error:
        raise failures.window_too_small(error.needed, error.room) from error


def _is_undoable(stored: StoredCompaction) -> bool:
    return stored.status == "active" and stored.was_asked_for


def _invalid(name: str, found: Any, expected: str) -> RequestError:
    return RequestError(
        "invalid_request",
        f"{name} is {str(found)[:40]!r}; expected {expected}.",
        hint="See docs/api.md for the form.",
    )

"""Routes that show a thread's context, and change it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from ..base.errors import RequestError
from ..base.request_body import Body
from ..chat.thread_context.thread_contexts import OpenContext, ThreadContexts
from ..chat.thread_context.turn_context import report_cached_share
from ..chat.turn_locks import TurnLocks
from ..context.compaction import clear_conversation
from ..context.condensing import Condense
from ..context.plan import ContextTooSmall, Plan
from ..llm.refusals import failures
from ..store.compactions import StoredCompaction
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web

_LONGEST_FOCUS = 400


class ContextBody(Body):
    action: Literal["clear", "compact", "undo"] = Field(
        description="`clear` lets the model begin afresh from here, `compact` condenses now, `undo` undoes the newest "
        "of both"
    )
    focus: str = Field("", max_length=_LONGEST_FOCUS, description="what `compact` should keep, in words")


class ContextHandlers:
    def __init__(
        self,
        open_context: Callable[[str], Awaitable[OpenContext]],
        contexts: ThreadContexts,
        turn_locks: TurnLocks,
    ) -> None:
        self._open = open_context
        self._contexts = contexts
        self._turn_locks = turn_locks

    def routes(self) -> list[Route]:
        thread = "/assistant/threads/{id}"
        return [
            Route("GET", f"{thread}/context", self.report),
            body_route("POST", f"{thread}/context", ContextBody, self.act),
        ]

    async def report(self, request: web.Request) -> web.Response:
        return reply(await self._report(request.match_info["id"]))

    async def act(self, request: web.Request, body: ContextBody) -> web.Response:
        """Clear the context, condense it, or undo the newest of both: docs/api.md."""
        thread_id = request.match_info["id"]
        async with self._turn_locks.hold(thread_id):
            if body.action == "undo":
                await self._undo(thread_id)
            elif body.action == "clear":
                await self._clear(await self._open(thread_id))
            else:
                await self._compact(await self._open(thread_id), body.focus)
        return reply(await self._report(thread_id))

    async def _report(self, thread_id: str) -> dict[str, Any]:
        thread = await self._open(thread_id)
        plan = await _plan(thread)
        requests = await self._contexts.requests.list(thread_id)
        newest = next((each for each in reversed(requests) if each.input_tokens is not None), None)
        usage, cached_share = None, {}
        if newest is not None:
            usage = {
                "inputTokens": newest.input_tokens,
                "cachedInputTokens": newest.cached_input_tokens,
                "outputTokens": newest.output_tokens,
            }
            if newest.input_tokens and newest.cached_input_tokens is not None:
                cached_share = report_cached_share(newest.cached_input_tokens / newest.input_tokens)
        return {
            "threadId": thread_id,
            **thread.context.recorder.report(plan, len(requests)),
            **cached_share,
            "model": thread.provider.endpoint.model,
            **thread.provider.window_origin(),
            "lastUsage": usage,
            "compactions": [each.as_json() for each in thread.state.compactions if each.status != "pending"],
            "pins": [pin.as_json() for pin in thread.state.pins],
            "goals": thread.goals,
        }

    async def _clear(self, thread: OpenContext) -> None:
        """Clear the context, even if nothing fits the window: `tokens_before` is only a figure for the divider."""
        try:
            tokens = (await thread.context.planner.plan(thread.conversation)).tokens
        except ContextTooSmall as error:
            tokens = error.tokens
        state = clear_conversation(thread.conversation)
        await thread.context.recorder.write_compaction(state, "clear", tokens_before=tokens, tokens_after=0)

    async def _compact(self, thread: OpenContext, focus: str) -> None:
        plan = await _plan(thread, force=Condense(focus))
        if plan.new_compaction is None:
            raise RequestError(
                "nothing_to_do",
                "There is nothing to condense yet: only the newest turn is in the context.",
                hint="/context shows what the model is sent.",
                status=409,
            )
        await thread.context.recorder.write_compaction(
            plan.new_compaction,
            "manual",
            tokens_before=plan.tokens_before,
            tokens_after=plan.tokens,
        )

    async def _undo(self, thread_id: str) -> None:
        state = await self._contexts.state(thread_id)
        newest = next((each for each in reversed(state.compactions) if _is_undoable(each)), None)
        if newest is None:
            raise RequestError(
                "nothing_to_do",
                "Nothing was condensed or cleared in this chat that could be taken back.",
                hint="/context shows what the model is sent.",
                status=409,
            )
        await self._contexts.compactions.void(thread_id, newest.id)


async def _plan(thread: OpenContext, *, force: Condense | None = None) -> Plan:
    try:
        return await thread.context.planner.plan(thread.conversation, force=force)
    except ContextTooSmall as error:
        raise failures.window_too_small(error.tokens, error.room) from error


def _is_undoable(compaction: StoredCompaction) -> bool:
    return compaction.status == "active" and compaction.is_manual

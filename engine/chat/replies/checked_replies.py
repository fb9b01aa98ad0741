"""Replies that are checked: one that says that something was done, where nothing was, is asked for again; so is one
that does nothing where a value was to be set in so many words.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from ...context.plan import Plan
from ...context.repeats import calls_of_turn
from ...context.tool_facts import ToolFacts
from ...events import Notice, StepEvent, StepReset, TextDelta, ToolCall
from ...messages import UIMessage, last_user_index, text_of
from ...plain.request.courtesies import without_courtesies
from .attempts import Attempts
from .claims import claims_in_vain, has_acted

_LONGEST_REQUEST = 600
NOTHING_DONE = Notice(
    "nothing-done", "Nothing was changed or run: the model called no tool, whatever it says."
)

NOTHING_RUN = Notice("nothing-done", "Nothing was run, whatever the model says.")


class CheckedReplies:
    """`facts` tell which tools change or run something, `missing_call` which call the request asks for, if any, and
    `is_doubted`, once a reply is there, whether what the model says is to be checked, `run_tool` which tool runs the
    workflow, `call_in_text` which call a text is the arguments of, and `is_late` whether there is no time left to ask
    again for an answer.
    """

    def __init__(
        self,
        attempts: Attempts,
        facts: Mapping[str, ToolFacts],
        missing_call: Callable[[], Awaitable[str]],
        is_doubted: Callable[[], bool],
        run_tool: Callable[[], str],
        call_in_text: Callable[[str], ToolCall | None],
        is_late: Callable[[], bool],
    ) -> None:
        self._attempts = attempts
        self._facts = facts
        self._missing_call = missing_call
        self._is_doubted = is_doubted
        self._run_tool = run_tool
        self._call_in_text = call_in_text
        self._is_late = is_late

    async def ask(self, request: Plan, conversation: Sequence[UIMessage]) -> AsyncGenerator[StepEvent, None]:
        """As `Attempts.ask`. An answer that claims in vain is taken back once, the second time contradicted; the first
        time, where it is late."""
        text = _Text()
        async with contextlib.aclosing(self._attempts.ask(request, conversation)) as events:
            async for event in events:
                text.read(event)
                yield event
        if not self._is_doubted():
            return
        if self._takes_call(text.text):
            yield StepReset()
            return
        missing = "" if self._attempts.reply.calls else await self._missing_call()
        if not missing and not self._claims_in_vain(text.text, conversation):
            return
        if not missing and self._is_late():
            yield self._contradiction(conversation)
            return
        nudged = _nudged(
            request,
            text.text,
            conversation,
            has_acted=self._has_acted(conversation),
            missing=missing,
            run_tool=self._run_tool(),
        )
        text = _Text()
        yield StepReset()
        async with contextlib.aclosing(self._attempts.ask(nudged, conversation)) as events:
            async for event in events:
                text.read(event)
                yield event
        if self._takes_call(text.text):
            yield StepReset()
        elif self._claims_in_vain(text.text, conversation):
            yield self._contradiction(conversation)

    def _contradiction(self, conversation: Sequence[UIMessage]) -> Notice:
        return NOTHING_RUN if self._has_acted(conversation) else NOTHING_DONE

    def _takes_call(self, text: str) -> bool:
        """Whether the reply is no answer but the arguments of a call, which it is then."""
        reply = self._attempts.reply
        call = None if reply.calls or reply.reason != "stop" else self._call_in_text(text)
        if call is not None:
            self._attempts.reply = replace(reply, calls=(call,), reason="tool-calls")
        return call is not None

    def _claims_in_vain(self, text: str, conversation: Sequence[UIMessage]) -> bool:
        return not self._attempts.reply.calls and claims_in_vain(
            text, calls_of_turn(conversation), self._facts, _wish(conversation)
        )

    def _has_acted(self, conversation: Sequence[UIMessage]) -> bool:
        return has_acted(calls_of_turn(conversation), self._facts)


class _Text:
    def __init__(self) -> None:
        self.text = ""

    def read(self, event: StepEvent) -> None:
        if isinstance(event, TextDelta):
            self.text += event.text
        elif isinstance(event, StepReset):
            self.text = ""


def _wish(conversation: Sequence[UIMessage]) -> str:
    index = last_user_index(conversation)
    return without_courtesies(text_of(conversation[index])) if index >= 0 else ""


def _nudged(
    request: Plan,
    claim: str,
    conversation: Sequence[UIMessage],
    *,
    has_acted: bool,
    missing: str,
    run_tool: str,
) -> Plan:
    """The request with the claim and what is wrong with it; neither is kept in the thread."""
    wish = _wish(conversation)[:_LONGEST_REQUEST]
    found = (
        f"Nothing was run: {run_tool} was not called."
        if has_acted
        else "No tool was called, so nothing was changed or run."
    )
    nudge = (
        f"{found} Call {missing} now."
        if missing
        else f"{found} If this asks for it, call the tool for it now; "
        f"else answer without saying that it was done: {wish}"
    )
    return replace(
        request,
        messages=[
            *request.messages,
            {"role": "assistant", "content": claim or "(An answer.)"},
            {"role": "user", "content": nudge},
        ],
    )

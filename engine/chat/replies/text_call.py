"""A reply that is no answer but the arguments of a call, as small models write it: it is taken back, and made."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

from ...events import StepEvent, StepReset, TextDelta, ToolCall
from .attempts import Attempts


async def with_call_in_text(
    events: AsyncGenerator[StepEvent, None], attempts: Attempts, call_in: Callable[[str], ToolCall | None]
) -> AsyncGenerator[StepEvent, None]:
    """The events of a reply; where `call_in` finds a call in its text, `attempts.reply` has it then."""
    text = ""
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, TextDelta):
                text += event.text
            elif isinstance(event, StepReset):
                text = ""
            yield event
    reply = attempts.reply
    call = None if reply.calls or reply.reason != "stop" else call_in(text)
    if call is not None:
        attempts.reply = replace(reply, calls=(call,), reason="tool-calls")
        yield StepReset()

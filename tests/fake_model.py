"""A model with prepared events, for tests of the turn that need no HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from comfyui_assistant.engine.base.events import (
    FinishReason,
    ReplyEvent,
    ReplyFinished,
    TextDelta,
    ToolCall,
    Usage,
)
from comfyui_assistant.engine.base.messages import Message
from comfyui_assistant.engine.llm.endpoint import Endpoint

Reply = Sequence[ReplyEvent | BaseException | float]


class FakeModel:
    """Replies to each request with the next reply. An exception in it is raised, a number is waited for, in seconds."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[list[Message]] = []
        self.closed_streams = 0

    async def stream(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
    ) -> AsyncGenerator[ReplyEvent, None]:
        self.requests.append(list(messages))
        try:
            for event in self._replies.pop(0):
                if isinstance(event, BaseException):
                    raise event
                if isinstance(event, (int, float)):
                    await asyncio.sleep(event)
                else:
                    yield event
        finally:
            self.closed_streams += 1


def says(text: str, *, reason: FinishReason | None = "stop", usage: Usage | None = None) -> Reply:
    return [TextDelta(text), ReplyFinished(reason, (), usage)]


def calls(*calls: tuple[str, str, str], text: str = "", reason: FinishReason | None = "tool-calls") -> Reply:
    """Return a reply with calls, given as (our id, tool, arguments)."""
    tool_calls = tuple(ToolCall(call_id, name, arguments, "") for call_id, name, arguments in calls)
    return [*([TextDelta(text)] if text else []), ReplyFinished(reason, tool_calls, None)]

"""A model whose replies pass filters on their way to the user."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.events import ReplyEvent, ReplyFinished
from ...base.messages import Message
from ...llm.client import ChatClient
from ...llm.endpoint import Endpoint
from ...llm.replies.reply_filter import ReplyFilter, pass_through


@dataclass(frozen=True)
class ModelRequest:
    """The messages and tools that are sent to `endpoint`."""

    endpoint: Endpoint
    messages: Sequence[Message]
    tools: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class FilteredModel:
    """A model whose replies pass the filters, beginning with the one next to the client."""

    client: ChatClient
    filters: Callable[[ModelRequest], Sequence[ReplyFilter]]

    async def stream(
        self, endpoint: Endpoint, messages: Sequence[Message], tools: Sequence[dict[str, Any]]
    ) -> AsyncGenerator[ReplyEvent, None]:
        filters = self.filters(ModelRequest(endpoint, messages, tools))
        try:
            for each in filters:
                for event in await each.before():
                    yield event
            async with contextlib.aclosing(self.client.stream(endpoint, messages, tools)) as reply:
                async for event in reply:
                    for passed in pass_through(filters, event):
                        yield passed
                        if isinstance(passed, ReplyFinished):
                            return
        finally:
            for each in filters:
                await each.after()

"""The filters of a reply: each reads its events while they stream and passes on what the next one reads."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.events import ReplyEvent, ReplyFinished
from ...base.messages import Message
from ...llm.client import ChatClient
from ...llm.endpoint import Endpoint


@dataclass(frozen=True)
class ModelRequest:
    """The messages and tools that are sent to `endpoint`."""

    endpoint: Endpoint
    messages: Sequence[Message]
    tools: Sequence[dict[str, Any]]


class ReplyFilter:
    """A filter of one reply. This base class passes everything on."""

    async def before(self) -> Iterable[ReplyEvent]:
        """Do the work that comes before the request; return what the user is to read of it."""
        return ()

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        """Return the events in place of this one. A `ReplyFinished` ends the reply and closes the connection."""
        return (event,)

    async def after(self) -> None:
        """Do the work that comes after the reply, whether it is complete, failed or stopped."""


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
                    for passed in _through(filters, event):
                        yield passed
                        if isinstance(passed, ReplyFinished):
                            return
        finally:
            for each in filters:
                await each.after()


def _through(filters: Sequence[ReplyFilter], event: ReplyEvent) -> Sequence[ReplyEvent]:
    events: Sequence[ReplyEvent] = (event,)
    for each in filters:
        events = [passed for event in events for passed in each.feed(event)]
    return events

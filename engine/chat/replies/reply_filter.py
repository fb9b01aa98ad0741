"""Filters of a reply: each sees its events while they stream, and passes on what the next one sees."""

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
    """What a model is asked: the messages and the tools that `endpoint` is sent."""

    endpoint: Endpoint
    messages: Sequence[Message]
    tools: Sequence[dict[str, Any]]


class ReplyFilter:
    """A filter of one reply. This one lets everything through."""

    async def before(self) -> Iterable[ReplyEvent]:
        """Do what has to be done before the model is asked; return what the person reads of that."""
        return ()

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        """Return what takes the place of an event. A `ReplyFinished` ends the reply, which closes the connection."""
        return (event,)

    async def after(self) -> None:
        """Do what has to be done however the reply ended: complete, failed or stopped."""


@dataclass(frozen=True)
class FilteredModel:
    """A model each of whose replies passes the filters, the first of which is next to the client."""

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

"""The `openai` package's stream, without the events that hold no data."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeVar

from openai import AsyncStream

_Item = TypeVar("_Item")


class EventStream(AsyncStream[_Item]):
    """A block with only `retry:` or `id:` is no event by the standard; the package would read it as JSON."""

    async def _iter_events(self) -> AsyncIterator[Any]:
        async for event in super()._iter_events():
            if event.data:
                yield event

"""The `openai` package's stream, without events that hold no data."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeVar

from openai import AsyncStream

_Item = TypeVar("_Item")


class EventStream(AsyncStream[_Item]):
    """Skips blocks with only `retry:` or `id:`, which are no events by the HTML standard; the package would parse
    them as JSON.
    """

    async def _iter_events(self) -> AsyncIterator[Any]:
        async for event in super()._iter_events():
            if event.data:
                yield event

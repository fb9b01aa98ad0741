"""The room of a result: how many tokens it may take in the request in which it is new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..messages import Part, dump
from ..own_metadata import own_metadata
from .tokens import count_text

ROOM = "room"
"""The key under which a call keeps its room, so that its result reads the same in all later requests."""

_EACH, _TOGETHER = 1 / 3, 0.7
_LEAST = 300


@dataclass(frozen=True)
class Room:
    """Tokens of a whole result, by the estimate that needs no vocabulary: the panel counts the same.

    A tool shapes its result to it by whole entries; what is longer all the same is cut before it is sent.
    """

    tokens: int = 8_000

    def holds(self, value: Any) -> bool:
        """Whether a text fits, or the JSON of any other value."""
        return count_text(value if isinstance(value, str) else dump(value)) <= self.tokens


def room_of_each(free: int, calls: int) -> Room:
    """The room of each result of a step with so many calls: a third of what is free, all together 70 % of it."""
    return Room(max(_LEAST, int(free * min(_EACH, _TOGETHER / max(1, calls)))))


def room_of(part: Part) -> Room | None:
    """None for a call that was made without one."""
    tokens = own_metadata(part.get("callProviderMetadata")).get(ROOM)
    return Room(tokens) if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens > 0 else None

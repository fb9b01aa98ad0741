"""What every way of building requests has in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.base.messages import Message, UIMessage


@dataclass(frozen=True)
class Sent:
    """One request. `milliseconds` is the processor time that its planning took, where that was measured."""

    messages: list[Message]
    milliseconds: float = 0.0
    has_compacted: bool = False


class Policy(Protocol):
    """Builds the requests of one thread in order, and may remember what it did to earlier ones."""

    name: str

    def request(self, conversation: Sequence[UIMessage]) -> Sent: ...

"""The limits of one request, and the marks between which a conversation is condensed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

HIGH, HIGH_OF_SMALL, LOW = 0.85, 0.90, 0.40
_SMALL_WINDOW = 16_000
_MOST_RESERVE = 4_096


@dataclass(frozen=True)
class Budget:
    """Upper limits of one request. `window`, `reserve` and `working` are the model's tokens.

    `working` is the part of the window that a conversation should fill: more costs money and attention, and less is
    found in it. `factor` turns an estimate into an upper bound of the model's own count. The other limits are None
    where tokens alone decide.
    """

    window: int
    reserve: int
    working: int | None = None
    factor: float = 1.0
    max_messages: int | None = None
    max_turns: int | None = None
    keep_rounds: int | None = None
    auto_compact: bool = True

    @property
    def effective_working(self) -> int:
        room = self.window - self.reserve
        return min(self.working or working_set(self.window, self.reserve), room)


def working_set(window: int, reserve: int) -> int:
    """Return the default working set: all of a small window, half of a large one, at most 64,000 tokens."""
    return min(window - reserve, max(window // 2, 32_000), 64_000)


def reply_reserve(window: int) -> int:
    """Return the tokens that are reserved for the reply."""
    return min(_MOST_RESERVE, window // 4)


def window_with_room(room: int) -> int:
    """Return the smallest window that leaves `room` tokens beside the reserve."""
    return room + min(_MOST_RESERVE, ceil(room / 3))


@dataclass(frozen=True)
class Thresholds:
    """The marks of a request in estimated tokens: condense above `high` down to `low`; never send more than `hard`.

    If the provider's cache has gone cold, condensing is due above `cold` already.
    """

    high: int
    cold: int
    low: int
    hard: int
    working: int

    @classmethod
    def of(cls, budget: Budget, fixed_tokens: int, condensed_tokens: int = 0) -> Thresholds:
        """Return the marks for a budget. `fixed_tokens` are those of every request; the marks share what is above them.

        `condensed_tokens` are what the conversation had after the last condensing. If that was above `low`, as with a
        long newest message, half of the distance between the marks must be new before the next condensing. Otherwise
        each request would condense again.
        """
        hard = int((budget.window - budget.reserve) / budget.factor)
        working = int(budget.effective_working / budget.factor)
        free = max(0, (working if working > fixed_tokens else hard) - fixed_tokens)
        low = max(int(LOW * working), fixed_tokens + free // 4)
        share = HIGH if budget.window >= _SMALL_WINDOW else HIGH_OF_SMALL
        high = max(int(share * working), low + free // 4)
        least = (fixed_tokens + condensed_tokens if condensed_tokens else 0) + (high - low) // 2
        cold = max((high + low) // 2, least)
        return cls(min(max(high, least), hard), min(cold, hard), min(low, hard), hard, working)

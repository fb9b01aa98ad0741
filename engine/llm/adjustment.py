"""What was learned, as a person is told it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Adjustment:
    """In words, and when it was learned last, in seconds since the epoch."""

    words: str
    learned_at: float

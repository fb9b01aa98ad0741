"""Adjustments to a model that were learned, in words for the user."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Adjustment:
    """A learned adjustment in words, with the time of its newest part in seconds since the epoch."""

    words: str
    learned_at: float

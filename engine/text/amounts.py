"""How many there are of something, in words."""

from __future__ import annotations


def amount_of(count: int, noun: str) -> str:
    """ "1 place", "12 places", "1,200 places"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"

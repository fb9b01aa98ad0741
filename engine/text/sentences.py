"""Where the sentences of a text end."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+")
_END_OF_ORDER = re.compile(rf"{_END.pattern}|(?<=;)\s+|(?<=；)\s*")


def sentences_in(text: str, *, of_orders: bool = False) -> list[str]:
    """Each with its mark, without the blanks around it; what has nothing but blanks is left out.

    A mark ends a sentence before a blank alone, since points stand in numbers and names too; those of Chinese and
    Japanese always do. A line ends one. With `of_orders` a semicolon does, too: what stands behind it is an order of
    its own.
    """
    ends = _END_OF_ORDER if of_orders else _END
    return [sentence for part in ends.split(text) if (sentence := part.strip())]


def sentence_ends(text: str, start: int, stop: int) -> Iterator[int]:
    """The places between these two where the next sentence begins."""
    return (match.end() for match in _END.finditer(text, start, stop))

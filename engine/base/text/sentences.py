"""Where the sentences of a text end."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+")


def sentences_in(text: str) -> list[str]:
    """Each with its mark, without the blanks around it; what has nothing but blanks is left out.

    A mark ends a sentence before a blank alone, since points stand in numbers and names too; those of Chinese and
    Japanese always do. A line ends one.
    """
    return [sentence for part in _END.split(text) if (sentence := part.strip())]


def sentence_ends(text: str, start: int, stop: int) -> Iterator[int]:
    """The places between these two where the next sentence begins."""
    return (match.end() for match in _END.finditer(text, start, stop))

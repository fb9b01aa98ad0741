"""Sentence boundaries."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with its mark and without surrounding blanks; blank ones are left out.

    A mark ends a sentence only before a blank, since points stand in numbers and names too; the marks of Chinese and
    Japanese always do. A line break ends a sentence.
    """
    return [sentence for part in _END.split(text) if (sentence := part.strip())]


def sentence_ends(text: str, start: int, stop: int) -> Iterator[int]:
    """Yield the positions between `start` and `stop` where the next sentence begins."""
    return (match.end() for match in _END.finditer(text, start, stop))

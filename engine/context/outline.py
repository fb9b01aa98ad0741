"""The headings and pages of a long text with their offsets, so that a reader can ask for a part of it."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..base.text.clip import clip_line

HEADING = re.compile(r"^(?:(#{1,6})[ \t]+(\S(?:.{0,118}\S)?)|\[(Page \d+)\])[ \t]*$", re.MULTILINE)
_LONGEST_TITLE = 60
_LEVEL_OF_PAGES = 7


@dataclass(frozen=True)
class Heading:
    """A heading: `start` is its offset in the text, and `level` 1 to 6, or 7 for a page of a PDF file."""

    start: int
    level: int
    title: str


def headings(text: str) -> list[Heading]:
    """Return the headings in order, including lines that only look like one, such as comments in code."""
    return [
        Heading(
            match.start(),
            len(match[1]) if match[1] else _LEVEL_OF_PAGES,
            (match[2] or match[3]).strip().rstrip("#").rstrip(),
        )
        for match in _matches(text)
    ]


def _matches(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches line by line: one regular expression over megabytes would block all other threads."""
    begins = heapq.merge(_line_begins(text, "#"), _line_begins(text, "[Page "))
    return (match for begin in begins if (match := HEADING.match(text, begin)))


def _line_begins(text: str, word: str) -> Iterator[int]:
    if text.startswith(word):
        yield 0
    place = text.find(f"\n{word}")
    while place >= 0:
        yield place + 1
        place = text.find(f"\n{word}", place + 1)


def outline(found: Sequence[Heading], longest: int) -> str:
    """Write headings with their offsets in at most `longest` characters: the upper levels, or every nth of them.

    Return "" if there are none, or no room for two.
    """
    levels = sorted({each.level for each in found})
    shown: Sequence[Heading] = ()
    for level in levels:
        upper = [each for each in found if each.level <= level]
        if len(_written(upper, len(found))) > longest:
            break
        shown = upper
    if not shown and levels:
        upper = [each for each in found if each.level == levels[0]]
        step = 2
        while len(upper[::step]) > 1 and len(_written(upper[::step], len(found))) > longest:
            step += 1
        shown = upper[::step]
        if len(shown) < 2 or len(_written(shown, len(found))) > longest:
            return ""
    return _written(shown, len(found))


def _written(shown: Sequence[Heading], count: int) -> str:
    lines = [f"{each.start}: {clip_line(each.title, _LONGEST_TITLE)}" for each in shown]
    left_out = count - len(shown)
    return "\n".join([*lines, f"and {left_out:,} more headings between them"] if left_out else lines)

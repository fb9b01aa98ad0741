"""Passages of long texts, found by their words with SQLite's full-text search (FTS5, bm25)."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ...base.text.sentences import sentence_ends
from ...context.find import in_small_letters
from ...context.outline import HEADING, headings

PASSAGE = 1_200
"""The characters of a passage, at most."""

_MOST_TERMS = 16
_STEM = 6
_KEPT_TEXTS = 64
_BREAK = re.compile(r"\n\s*\n|\n(?=#{1,6}\s|\[Page \d)")
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|s)\Z")
"""Endings of English words that are ignored, so that "lenses" finds "lens"."""
_COMMON = frozenset(
    _WORD.findall(
        "the and for are was this that with from have has not but you your it its is of to in on at by as an or be if "
        "do does what which a who how why when where i my we our there they then than can should"
    )
)
"""English words that say nothing about the topic of a question."""


@dataclass(frozen=True)
class Passage:
    """A passage. `start` and `end` are offsets in characters; `place` is the heading or page above it."""

    start: int
    end: int
    place: str


def split_passages(text: str) -> list[Passage]:
    """Split a text into passages: by paragraphs, with short ones joined and long ones split at sentences."""
    places = headings(text)
    found: list[Passage] = []
    number, place = 0, ""
    for start, end in _join_paragraphs(text):
        # A heading at the beginning of a passage belongs to it.
        while number < len(places) and places[number].start <= start:
            place = places[number].title
            number += 1
        found.append(Passage(start, end, place))
    return found


def _join_paragraphs(text: str) -> Iterator[tuple[int, int]]:
    begin = end = -1
    for start, stop in _paragraphs(text):
        is_new_section = bool(HEADING.match(text, start))
        if begin >= 0 and (stop - begin > PASSAGE or is_new_section):
            yield begin, end
            begin = -1
        if begin < 0:
            begin = start
        end = stop
    if begin >= 0:
        yield begin, end


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs, none longer than a passage, none empty."""
    start = 0
    for stop in [*_breaks(text), len(text)]:
        yield from _pieces(text, start, stop)
        start = stop


def _breaks(text: str) -> Iterator[int]:
    """Yield the breaks line by line, since one regular expression over megabytes would hold all other threads up."""
    place = text.find("\n")
    while place >= 0:
        following = text[place + 1 : place + 2]
        match = _BREAK.match(text, place) if following.isspace() or following in ("#", "[") else None
        if match:
            yield place
        place = text.find("\n", max(place + 1, match.end() if match else 0))


def _pieces(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop and text[start].isspace():
        start += 1
    while stop - start > PASSAGE:
        ends = list(sentence_ends(text, start, start + PASSAGE))
        cut = ends[-1] if ends and ends[-1] > start else start + PASSAGE
        yield start, cut
        start = cut
    if text[start:stop].strip():
        yield start, stop


class PassageIndex:
    """An in-memory index of texts by version; a few megabytes take a fraction of a second. Thread-safe."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            "CREATE VIRTUAL TABLE passage USING fts5("
            'content, version UNINDEXED, number UNINDEXED, tokenize = "unicode61 remove_diacritics 2")'
        )
        self._passages: dict[str, list[Passage]] = {}
        self._lock = threading.Lock()

    def search(self, texts: dict[str, str], query: str, *, limit: int = 12) -> list[tuple[str, Passage]]:
        """Return the passages of texts, by version, that contain words of the query, best first. Blocks."""
        words = dict.fromkeys(_WORD.findall(in_small_letters(query)))
        terms = [word for word in words if word not in _COMMON] or list(words)
        if not terms:
            return []
        with self._lock:
            for version, text in texts.items():
                self._add(version, text)
            self._forget(texts)
            match = " OR ".join(
                f'"{_ENDING.sub("", word)}"*' if len(word) > 2 else f'"{word}"'
                for word in terms[:_MOST_TERMS]
            )
            rows = self._connection.execute(
                "SELECT version, number FROM passage WHERE passage MATCH ? ORDER BY bm25(passage)", (match,)
            )
            matches = (
                (version, self._passages[version][number]) for version, number in rows if version in texts
            )
            found = [*islice(matches, limit)]
        return found or _search_substrings(texts, terms, limit)

    def _add(self, version: str, text: str) -> None:
        if version in self._passages:
            return
        found = split_passages(text)
        self._connection.executemany(
            "INSERT INTO passage (content, version, number) VALUES (?, ?, ?)",
            (
                (f"{passage.place}\n{text[passage.start : passage.end]}", version, number)
                for number, passage in enumerate(found)
            ),
        )
        self._passages[version] = found

    def _forget(self, used: dict[str, str]) -> None:
        for version in [each for each in self._passages if each not in used][: -_KEPT_TEXTS or None]:
            self._connection.execute("DELETE FROM passage WHERE version = ?", (version,))
            del self._passages[version]


def _search_substrings(texts: dict[str, str], terms: Sequence[str], limit: int) -> list[tuple[str, Passage]]:
    """Return passages that contain a term within words, as languages without spaces need it."""
    found: list[tuple[int, str, Passage]] = []
    for version, text in texts.items():
        small_text = in_small_letters(text)
        if not any(term in small_text for term in terms):
            continue
        for passage in split_passages(text):
            piece = small_text[passage.start : passage.end]
            if count := sum(term in piece for term in terms):
                found.append((count, version, passage))
    found.sort(key=lambda each: -each[0])
    return [(version, passage) for _, version, passage in found[:limit]]


def is_relevant(passage: str, about: str) -> bool:
    """Return whether a passage has two of the words that say what a text is about, or the only one."""
    words = {word for word in _WORD.findall(in_small_letters(about)) if word not in _COMMON and len(word) > 2}
    text = in_small_letters(passage)
    return sum(word[:_STEM] in text for word in words) >= min(2, len(words)) > 0


def nearest_passage(text: str, about: str) -> Passage | None:
    """Return the passage that a sentence is most likely from: the one with most of its rarer words."""
    words = {word for word in _WORD.findall(in_small_letters(about)) if word not in _COMMON}
    found = split_passages(text)
    pieces = [set(_WORD.findall(in_small_letters(text[each.start : each.end]))) for each in found]
    counts = {word: sum(word in piece for piece in pieces) for word in words}
    weights = [sum(1 / counts[word] for word in words & piece) for piece in pieces]
    best = max(weights, default=0.0)
    return found[weights.index(best)] if best > 0 else None

"""The search in a conversation, condensed or not."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..base.messages import UIMessage, answer_text, message_text
from .compaction import blocks
from .documents import document_number, document_text, is_document
from .results import one_line, result_text
from .turn_calls import called_name

_WORD = re.compile(r"\w+", re.UNICODE)
_EXCERPT = 240
_MESSAGES = ("user message", "answer")
_LONGEST_SEARCHED = 200_000


@dataclass(frozen=True)
class Hit:
    """A text that was found: `ref` is its handle, and `excerpt` the place with most of the words."""

    ref: str
    kind: str
    excerpt: str


class SearchResult(NamedTuple):
    hits: list[Hit]
    """The first hits."""
    total: int
    """The number of all hits."""


def find_in_conversation(conversation: Sequence[UIMessage], query: str, *, limit: int = 8) -> SearchResult:
    """Find the texts with most words of the query, newest first among equals.

    Messages of user and assistant come before results if they have half of the words.
    """
    words = {word for word in _WORD.findall(in_small_letters(query)) if len(word) > 1 or word.isdigit()}
    matches: list[tuple[int, int, tuple[str, str, str], list[str]]] = []
    for order, entry in enumerate(_texts(conversation)):
        small_text = in_small_letters(entry[2][:_LONGEST_SEARCHED])
        if present := [word for word in words if word in small_text]:
            matches.append((len(present), order, entry, present))
    matches.sort(key=lambda each: (not _is_message(each[2][1], each[0], words), -each[0], -each[1]))
    hits = [
        Hit(ref, kind, excerpt(text, _place(text, present)))
        for _, _, (ref, kind, text), present in matches[:limit]
    ]
    return SearchResult(hits, len(matches))


def _is_message(kind: str, present: int, words: Collection[str]) -> bool:
    return kind in _MESSAGES and 2 * present >= len(words)


def in_small_letters(text: str) -> str:
    """Return the text in lower case with the same length: the letter that would become two becomes one."""
    return text.replace("İ", "i").lower()


def excerpt(text: str, position: int, *, length: int = _EXCERPT) -> str:
    """Return the surroundings of a place in a text, on one line."""
    start = max(0, position - length // 3)
    end = min(len(text), start + length)
    line = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{line}{' …' if end < len(text) else ''}"


def _place(text: str, words: Sequence[str]) -> int:
    """Return the first place whose excerpt has most of the words, each of which is in the text."""
    small_text = in_small_letters(text[:_LONGEST_SEARCHED])
    place = most = 0
    for match in re.finditer("|".join(map(re.escape, words)), small_text):
        passage = small_text[match.start() : match.start() + _EXCERPT * 2 // 3]
        count = sum(word in passage for word in words)
        if count > most:
            place, most = match.start(), count
        if most == len(words):
            break
    return place


def _texts(conversation: Sequence[UIMessage]) -> Iterator[tuple[str, str, str]]:
    for block in blocks(conversation):
        if block.kind == "user":
            yield f"u{block.user}", _MESSAGES[0], message_text(block.message)
            for part in filter(is_document, block.parts):
                yield f"d{document_number(part)}", "attached document", document_text(part)
            continue
        if block.user and (answer := answer_text(block.parts)):
            yield f"a{block.user}", _MESSAGES[1], answer
        for number, part in enumerate(block.calls, block.results + 1):
            yield f"r{number}", f"result of {called_name(part)}", f"{one_line(part)}\n{result_text(part)}"

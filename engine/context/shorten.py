"""Texts made shorter without losing what matters most in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_BORDERS = ("\n", "},", "],", ", ", ",", ". ", " ")
_SEARCH = 160
_STRETCH = 1.7
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")
_EXACT = re.compile(r"\d|`[^`]+`|\"[^\"]+\"|\b\w+\.\w{2,12}\b|\b[a-z]+[A-Z]\w*|\b(?!OK\b)[A-Z]{2,}\b")
_LOOKED_AT = 20_000
_GAP = "…"
_COMMITTED = re.compile(
    r"\b(must|never|always|only|don't|do not|should|ha(?:s|ve) to|wants?|needs?|please|from now on|"
    r"without|keep|goal|important|prefer|use[ds]?|using|chose|choose|chosen|decid\w+|decision|because|"
    r"since|instead|rather|so that|therefore|set to|settled|agree\w*|will|failed|fixed|works?|"
    r"replaced?|switch\w*|stay\w*|saved?)\b",
    re.IGNORECASE,
)


def head_and_tail(text: str, limit: int, marker: str) -> str:
    """`text` cut to about `limit` characters: 70 % from its beginning, 30 % from its end, at line or JSON borders.

    `marker` stands in the gap; `{missing}` in it becomes the number of characters left out.
    """
    if len(text) <= limit:
        return text
    head = border_before(text, int(limit * 0.7))
    tail = _border_after(text, len(text) - int(limit * 0.3))
    return text[:head] + marker.format(missing=f"{tail - head:,}") + text[tail:]


def border_before(text: str, position: int) -> int:
    """The end of the last line, entry, sentence or word that ends close before `position`."""
    for border in _BORDERS:
        place = text.rfind(border, max(0, position - _SEARCH), position)
        if place > 0:
            return place + len(border)
    return position


def _border_after(text: str, position: int) -> int:
    for border in _BORDERS:
        place = text.find(border, position, position + _SEARCH)
        if place >= 0:
            return place + len(border)
    return position


def shares(sizes: Sequence[int], total: int) -> list[int]:
    """How much each of several texts may take of `total`: the short ones whole, the long ones an equal rest each.

    This is water-filling: no text is cut while a longer one could be cut instead.
    """
    amounts = [0] * len(sizes)
    rest = max(0, total)
    order = sorted(range(len(sizes)), key=lambda index: sizes[index])
    for position, index in enumerate(order):
        amounts[index] = min(sizes[index], rest // (len(order) - position))
        rest -= amounts[index]
    return amounts


def key_sentences(text: str, limit: int, focus: str = "") -> str:
    """The sentences of `text` that say most, in their order, within about `limit` characters.

    Figures, names and words of intent weigh, and the words of `focus` most of all; length costs. The weightiest may be
    somewhat longer than the limit. A gap is marked with an ellipsis. Of a very long text only the beginning and the end
    are looked at: one regular expression over megabytes would hold all of ComfyUI up.
    """
    sentences, weights = _weigh(head_and_tail(text, _LOOKED_AT, f"\n{_GAP}\n"))
    if sum(map(len, sentences)) + len(sentences) <= limit:
        return " ".join(sentences)
    if words := focus_words(focus):
        weights = tuple(
            weight + 5 * sum(word in sentence.lower() for word in words)
            for sentence, weight in zip(sentences, weights, strict=True)
        )
    order = sorted(range(len(sentences)), key=lambda index: -weights[index])
    selection: list[int] = []
    room = limit
    for index in order:
        is_best = not selection and len(sentences[index]) <= limit * _STRETCH
        if is_best or len(sentences[index]) + 2 <= room:
            selection.append(index)
            room -= len(sentences[index]) + 2
    if not selection:
        return sentences[order[0]][: max(1, limit - 1)].rstrip() + _GAP
    return _with_gaps(sentences, sorted(index for index in selection if sentences[index] != _GAP))


def focus_words(focus: str) -> frozenset[str]:
    """The words of a focus that are long enough to tell texts apart."""
    return frozenset(word for word in focus.lower().split() if len(word) > 2)


@lru_cache(maxsize=2_048)
def _weigh(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    sentences = tuple(" ".join(part.split()) for part in _SENTENCE.split(text) if part and not part.isspace())
    return sentences, tuple(
        _weight(sentence, index, len(sentences)) for index, sentence in enumerate(sentences)
    )


def _weight(sentence: str, index: int, total: int) -> float:
    beginning = sentence[:1_000]
    exact = min(4, len(_EXACT.findall(beginning)))
    intentions = min(3, len(_COMMITTED.findall(beginning)))
    edge = 0.5 if index in (0, total - 1) else 0.0
    return (exact + 1.5 * intentions + edge) / (1 + len(sentence) / 400)


def _with_gaps(sentences: Sequence[str], selection: Sequence[int]) -> str:
    pieces: list[str] = []
    previous = -1
    for index in selection:
        if index != previous + 1:
            pieces.append(_GAP)
        pieces.append(sentences[index])
        previous = index
    if previous != len(sentences) - 1:
        pieces.append(_GAP)
    return " ".join(pieces)


def short_value(value: Any, *, text_limit: int = 160, list_limit: int = 8) -> Any:
    """A JSON value with long texts and lists cut, and what is missing said in its place."""
    if isinstance(value, str):
        return head_and_tail(value, text_limit, " … [{missing} characters left out] … ")
    if isinstance(value, list):
        items = [
            short_value(item, text_limit=text_limit, list_limit=list_limit) for item in value[:list_limit]
        ]
        return (
            items if len(value) <= list_limit else [*items, f"… [{len(value) - list_limit:,} more left out]"]
        )
    if isinstance(value, dict):
        return {
            key: short_value(item, text_limit=text_limit, list_limit=list_limit)
            for key, item in value.items()
        }
    return value

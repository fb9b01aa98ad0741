"""Texts made shorter without losing what matters most in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .weights import LEAST_OF_WISH, sentences_of, weigh, weight_of

_BORDERS = ("\n", "},", "],", ", ", ",", ". ", " ")
_SEARCH = 160
_STRETCH = 1.7
GAP = "…"
LOOKED_AT = 20_000
_LOOKED_AT_IN_MESSAGE = 200_000
_BEGINNING, _END = 0.35, 0.2
_LEAST_KEPT = 400


def head_and_tail(text: str, limit: int, marker: str) -> str:
    """`text` cut to about `limit` characters: 70 % from its beginning, 30 % from its end, at line or JSON borders.

    `marker` stands in the gap; `{missing}` in it becomes the number of characters left out.
    """
    if len(text) <= limit:
        return text
    head, tail = gap(text, limit)
    return text[:head] + marker.format(missing=f"{tail - head:,}") + text[tail:]


def gap(text: str, limit: int) -> tuple[int, int]:
    """Where in a longer text that lies which `head_and_tail` leaves out."""
    return border_before(text, int(limit * 0.7)), _border_after(text, len(text) - int(limit * 0.3))


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

    Figures, names and words of intent weigh, and the words of `focus` most of all; length costs. Of a very long text
    only the beginning and the end are looked at: one regular expression over megabytes would hold all of ComfyUI up.
    """
    sentences, weights = weigh(head_and_tail(text, LOOKED_AT, f"\n{GAP}\n"))
    if words := focus_words(focus):
        weights = tuple(
            weight + 5 * sum(word in sentence.lower() for word in words)
            for sentence, weight in zip(sentences, weights, strict=True)
        )
    return weightiest(sentences, weights, limit)


def weightiest(pieces: Sequence[str], weights: Sequence[float], limit: int) -> str:
    """The weightiest pieces of a text in their order, within about `limit` characters, gaps marked with an ellipsis.

    The weightiest of all may be somewhat longer than the limit.
    """
    if sum(map(len, pieces)) + len(pieces) <= limit:
        return " ".join(pieces)
    order = sorted(range(len(pieces)), key=lambda index: -weights[index])
    selection: list[int] = []
    room = limit
    for index in order:
        is_best = not selection and len(pieces[index]) <= limit * _STRETCH
        if is_best or len(pieces[index]) + 2 <= room:
            selection.append(index)
            room -= len(pieces[index]) + 2
    if not selection:
        return pieces[order[0]][: max(1, limit - 1)].rstrip() + GAP
    return with_gaps(pieces, sorted(index for index in selection if pieces[index] != GAP))


def with_gaps(pieces: Sequence[str], selection: Sequence[int]) -> str:
    """The pieces with these numbers, in a row, and an ellipsis wherever others are missing."""
    shown: list[str] = []
    previous = -1
    for index in selection:
        if index != previous + 1:
            shown.append(GAP)
        shown.append(pieces[index])
        previous = index
    if previous != len(pieces) - 1:
        shown.append(GAP)
    return " ".join(shown)


def key_passages(text: str, limit: int, marker: str) -> str:
    """A message cut to about `limit` characters: its beginning and its end, and of what lies between the wishes.

    Those are the sentences that state a goal, a rule, a name or a figure, in their order, the weightiest where they are
    many. `marker` stands before them; `{missing}` in it becomes the number of characters left out.
    """
    if len(text) <= limit:
        return text
    if limit < _LEAST_KEPT:
        return head_and_tail(text, limit, marker)
    head = border_before(text, int(limit * _BEGINNING))
    tail = _border_after(text, len(text) - int(limit * _END))
    sentences = sentences_of(head_and_tail(text[head:tail], _LOOKED_AT_IN_MESSAGE, f"\n{GAP}\n"))
    weights = [*map(weight_of, sentences)]
    room = limit - head - (len(text) - tail)
    kept: dict[int, str] = {}
    for index in sorted(range(len(sentences)), key=lambda index: -weights[index]):
        if weights[index] < LEAST_OF_WISH:
            break
        if len(sentences[index]) + 3 <= room:
            kept[index] = sentences[index]
            room -= len(sentences[index]) + 3
    if not kept:
        return head_and_tail(text, limit, marker)
    passages = with_gaps(sentences, sorted(kept)).removeprefix(f"{GAP} ").removesuffix(f" {GAP}")
    missing = tail - head - sum(map(len, kept.values()))
    return f"{text[:head]}{marker.format(missing=f'{missing:,}')}{passages}\n{GAP}\n{text[tail:]}"


def focus_words(focus: str) -> frozenset[str]:
    """The words of a focus that are long enough to tell texts apart."""
    return frozenset(word for word in focus.lower().split() if len(word) > 2)


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

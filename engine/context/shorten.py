"""The shortening of texts and JSON values: cuts at borders and whole entries, with markers in the gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..base.messages import dump

_BORDERS = ("\n", "},", "],", ", ", ",", ". ", " ")
_SEARCH = 160

Marker = Callable[[str], str]
"""A function that returns the marker for an amount that is left out, such as `14 of 40`."""

_HEAD = 0.7
_RECORD = 16
"""The most names of an object that keeps all of them; a larger one is shortened like a list."""


def head_and_tail(text: str, limit: int, marker: str) -> str:
    """Cut a text to about `limit` characters: 70 % from its beginning, 30 % from its end, at line or JSON borders.

    `marker` stands in the gap; `{missing}` in it becomes the number of characters left out.
    """
    if len(text) <= limit:
        return text
    head, tail = gap(text, limit)
    return text[:head] + marker.format(missing=f"{tail - head:,}") + text[tail:]


def gap(text: str, limit: int) -> tuple[int, int]:
    """Return the begin and end of the part that `head_and_tail` leaves out of a longer text."""
    return border_before(text, int(limit * 0.7)), border_after(text, len(text) - int(limit * 0.3))


def border_before(text: str, position: int) -> int:
    """Return the end of the last line, entry, sentence or word that ends close before `position`."""
    for border in _BORDERS:
        place = text.rfind(border, max(0, position - _SEARCH), position)
        if place > 0:
            return place + len(border)
    return position


def border_after(text: str, position: int) -> int:
    """Return the end of the first line, entry, sentence or word that ends close after `position`."""
    for border in _BORDERS:
        place = text.find(border, position, position + _SEARCH)
        if place >= 0:
            return place + len(border)
    return position


def shares(sizes: Sequence[int], total: int) -> list[int]:
    """Return how much of `total` each of several texts may take: the short ones whole, the long ones equal shares.

    This is water-filling: no text is cut while a longer one could be cut instead.
    """
    amounts = [0] * len(sizes)
    rest = max(0, total)
    order = sorted(range(len(sizes)), key=lambda index: sizes[index])
    for position, index in enumerate(order):
        amounts[index] = min(sizes[index], rest // (len(order) - position))
        rest -= amounts[index]
    return amounts


def short_value(value: Any, *, text_limit: int = 160, list_limit: int = 8) -> Any:
    """Return a JSON value with long texts and lists cut, and markers in the gaps."""
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


def shorten_result(value: Any, limit: int, marker: Marker) -> str:
    """Return a result as text of about `limit` characters: the first entries of lists, whole lines of texts.

    A single entry is cut only if it is longer than all of the limit.
    """
    if isinstance(value, str):
        return _lines(value, limit, marker, len)
    for smaller in (limit, limit * 2 // 3, limit // 3):
        text = dump(_shorter(value, smaller, marker))
        if len(text) <= limit:
            return text
    return head_and_tail(text, limit, f"\n{marker('{missing} characters')}\n")


def _shorter(value: Any, limit: int, marker: Marker) -> Any:
    """Return the value in about `limit` characters; one that is no longer than its marker stays."""
    if not value or _size(value) <= max(limit, len(marker("1,000 characters"))):
        return value
    if isinstance(value, str):
        return _lines(value, limit, marker, _size)
    if isinstance(value, list):
        return _entries(value, limit, marker)
    if isinstance(value, dict):
        return _names(value, limit, marker) if len(value) > _RECORD else _record(value, limit, marker)
    return value


def _entries(entries: list[Any], limit: int, marker: Marker) -> list[Any]:
    room = limit - len(marker("1,000 of 1,000"))
    count = _that_fit(map(_size, entries), room)
    kept = entries[:count] or [_shorter(entries[0], room, marker)]
    rest = len(entries) - len(kept)
    return [*kept, marker(f"{rest:,} of {len(entries):,}")] if rest else kept


def _names(mapping: dict[str, Any], limit: int, marker: Marker) -> dict[str, Any]:
    room = limit - len(marker("1,000 of 1,000"))
    names = [*mapping]
    count = _that_fit((_size(name) + _size(mapping[name]) + 1 for name in names), room)
    first = names[0]
    kept = {name: mapping[name] for name in names[:count]} or {first: _shorter(mapping[first], room, marker)}
    rest = len(names) - len(kept)
    return {**kept, "…": marker(f"{rest:,} of {len(names):,}")} if rest else kept


def _record(record: dict[str, Any], limit: int, marker: Marker) -> dict[str, Any]:
    """Return a small object: its short values stay, and the long ones share the rest."""
    room = limit - sum(_size(name) + 2 for name in record)
    amounts = shares([_size(value) for value in record.values()], room)
    return {
        name: _shorter(value, amount, marker)
        for (name, value), amount in zip(record.items(), amounts, strict=True)
    }


def _lines(text: str, limit: int, marker: Marker, size: Callable[[str], int]) -> str:
    """Return the lines at the beginning, and fewer from the end."""
    if size(text) <= limit:
        return text
    lines = text.split("\n")
    room = max(0, limit - len(marker("1,000 of 1,000 lines")))
    head = _that_fit((size(line) + 1 for line in lines), int(room * _HEAD))
    rest_of_room = room - sum(size(line) + 1 for line in lines[:head])
    tail = _that_fit((size(line) + 1 for line in reversed(lines[head:])), rest_of_room)
    if head + tail == 0:
        cut = room * len(text) // max(1, size(text))
        return head_and_tail(text, cut, f" {marker('{missing} characters')} ")
    rest = len(lines) - head - tail
    return "\n".join(
        [*lines[:head], marker(f"{rest:,} of {len(lines):,} lines"), *lines[len(lines) - tail :]]
    )


def _that_fit(sizes: Iterable[int], room: int) -> int:
    count = 0
    for size in sizes:
        room -= size + 1
        if room < 0:
            break
        count += 1
    return count


def _size(value: Any) -> int:
    return len(dump(value))

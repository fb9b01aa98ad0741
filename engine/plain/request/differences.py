"""Changes by a number: "10 more steps", "lower the cfg by 2", "5 mehr Schritte"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...environment.node_input import NodeInput
from ..names import Value
from .comparatives import NamedIn, SaidChange, way_of
from .number_words import NUMBER_WORD, NUMBER_WORDS, SMALL_NUMBERS

_ONE = r"one|einen?|eine|uno|una|une?"
_NUMBER = rf"(?P<number>\d+(?:[.,]\d+)?|\.\d+|{NUMBER_WORD}|{'|'.join(SMALL_NUMBERS)}|{_ONE})"
_NO_SHARE = (
    r"(?![\w.,]*\d|\s*(?:%|percent|prozent|x\b|times|mal\b|fois|veces|percento|por ciento|pour ?cent))\b"
)
_MORE = r"more|fewer|less|mehr|weniger|más|menos|de plus|de moins"
_DIFFERENCES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:(?P<side>up|down) )?(?:(?<!scale )(?P<by>by|um)|de|en)\s+{_NUMBER}{_NO_SHARE}",
        rf"(?<![\w.,]){_NUMBER}{_NO_SHARE}\s+(?:(?!(?:or|oder|ou|o|und|and|with)\b)\w+\s+){{0,2}}?(?P<side>{_MORE})\b"
        r"(?!\s+(?:or less|than|als|que)\b)",
        rf"(?<![\w+])(?P<side>plus|minus|\+)\s*{_NUMBER}{_NO_SHARE}",
    )
]
_SIDES = {"up": 1, "plus": 1, "+": 1, "de plus": 1, "down": -1, "minus": -1, "de moins": -1}
_WAYS = {"up": 1, "down": -1}


def is_difference(clause: str) -> bool:
    return _difference(clause) is not None


def without_differences(text: str) -> str:
    """Without their numbers and what leads to these."""
    for pattern in _DIFFERENCES:
        text = pattern.sub(" ", text)
    return text


def difference_in(values: Sequence[Value], clause: str, named: NamedIn) -> SaidChange | None:
    difference = _difference(clause)
    if not difference or len(widgets := named(values, clause)) != 1:
        return None
    return SaidChange(widgets, lambda value, known: _changed(value, difference, known))


def _difference(clause: str) -> float | None:
    """With its sign; None where the clause says no such thing, or more numbers than one; 0 where it is one, and nobody
    knows which way.
    """
    for pattern in _DIFFERENCES:
        if not (said := pattern.search(clause)):
            continue
        if re.search(r"\d", clause[: said.start("number")] + clause[said.end("number") :]):
            return None
        side = (said["side"] or "").lower()
        sign = _SIDES.get(side) or _WAYS.get(way_of(side or clause) or "", 0)
        word = said["number"].lower()
        number = {**NUMBER_WORDS, **SMALL_NUMBERS}.get(word, "1" if word.isalpha() else word)
        is_one = sign != 0 or said.groupdict().get("by") is not None
        return sign * float(number.replace(",", ".")) if is_one else None
    return None


def _changed(value: Value, difference: float, known: NodeInput | None) -> str | None:
    new = round(value.value + difference, 4)
    least = 0 if known is None or known.minimum is None else known.minimum
    is_below = new < least <= value.value
    is_above = known is not None and known.maximum is not None and new > known.maximum
    takes_parts = known is not None and known.type == "FLOAT"
    if is_below or is_above or (new != int(new) and isinstance(value.value, int) and not takes_parts):
        return None
    return f"{new:g}" if new != int(new) else str(int(new))

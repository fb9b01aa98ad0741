"""Changes that name no number: "less steps", "make it wider", "half the size"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...environment.node_input import NodeInput
from ..meant import plain
from ..names import Value
from .number_words import NUMBER_WORD

_UP = (
    r"more|increase|raise|bump|turn\w*(?:\W+\w+){0,3}?\W+up|higher|stronger|mehr|höher\w*|erhöhe?|stärker|plus de|"
    r"augmente\w*|más|aumenta\w*|sube"
)
_DOWN = (
    r"less|fewer|decrease|reduce|lower|turn\w*(?:\W+\w+){0,3}?\W+down|tone down|weaker|weniger|niedriger\w*|"
    r"verringere?|reduziere?|senke?|schwächer|moins de|réduis|diminue\w*|menos|reduce|baja"
)
_DOUBLE = r"double|twice|doppelt\w*|verdopp\w*|doubl\w*|doble|duplica"
_TRIPLE = r"triple|treble|three times|verdreifach\w*|tripl\w*|triplica"
_HALF = r"half|halve|halb\w*|halbiere?|moitié|mitad"
_A_BIT = re.compile(
    r"\b(?:a (?:bit|little|touch|tad|smidge|hair)|slightly|somewhat|etwas|leicht|"
    r"ein (?:bisschen|wenig)|un (?:peu|poco|poquito))\b",
    re.IGNORECASE,
)
_PICTURE = (
    r"it|this|image|picture|pic|photo|video|output|canvas|size|resolution|es|bild|video|größe|auflösung|image|taille|"
    r"imagen|tamaño"
)
_MUCH = (
    r"a|bit|little|lot|much|slightly|way|even|also|twice|is|be|should|shall|must|etwas|ein|bisschen|viel|noch|soll|un|peu|"
    r"poco|mucho|beaucoup"
)
_SIZES: Mapping[str, tuple[str, ...]] = {
    r"bigger|larger|größer\w*|plus grand\w*|más grande": ("width", "height"),
    r"smaller|kleiner\w*|plus petit\w*|más pequeñ\w*": ("width", "height"),
    r"wider|breiter\w*|plus large|más anch\w*": ("width",),
    r"narrower|schmaler\w*|plus étroit\w*|más estrech\w*": ("width",),
    r"taller|plus haut\w*|más alt\w*": ("height",),
    r"longer|länger\w*|plus long\w*|más larg\w*": ("length",),
    r"shorter|kürzer\w*|plus court\w*|más cort\w*": ("length",),
}
"""What is larger or smaller then; each growing adjective is followed by the one that shrinks, where there is one."""
_SHRINKING = re.compile(
    r"\b(?:smaller|narrower|shorter|kleiner|schmaler|kürzer|plus petit|plus étroit|plus court|más pequeñ|más estrech|"
    r"más cort)",
    re.IGNORECASE,
)
_OF_SIZE = re.compile(
    r"\b(?:size|resolution|dimensions|größe|auflösung|taille|résolution|tamaño|resolución)\b"
    r"(?!\s+of\s+(?!(?:the |my |this )?(?:image|picture|photo|video|output|canvas|latent)))",
    re.IGNORECASE,
)
_WAYS = {
    way: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for way, words in {"double": _DOUBLE, "triple": _TRIPLE, "half": _HALF, "up": _UP, "down": _DOWN}.items()
}
_ADJECTIVES = [
    (
        re.compile(
            rf"\b(?:{_PICTURE})\b\W+(?:(?:{_MUCH})\W+)*(?:{words})\b|"
            rf"\b(?:{words})\W+(?:{_PICTURE})\b(?!\W+(?:of|in|on|that|with|inside|von|im|de|en)\b)",
            re.IGNORECASE,
        ),
        widgets,
    )
    for words, widgets in _SIZES.items()
]
COMPARING = re.compile(
    rf"\b(?:{'|'.join([_UP, _DOWN, _DOUBLE, _TRIPLE, _HALF, *_SIZES])})\b|{_A_BIT.pattern}", re.IGNORECASE
)
"""Words that compare with what is there."""
_GROWTH = {"double": 2.0, "triple": 3.0, "half": 0.5, "up": 1.5, "down": 1 / 1.5}
_SMALL_GROWTH = {"double": 2.0, "triple": 3.0, "half": 0.5, "up": 1.2, "down": 1 / 1.2}
_MAKE = re.compile(r"\b(?:make|mach\w*|haz|fais|rends)\b", re.IGNORECASE)
_PIXELS, _FEWEST_PIXELS = 64, 64
_WHOLE_FROM = 2
"""A number with decimals that is at least that grows by whole numbers where it is one."""
_NUMBER = re.compile(rf"\d|\b(?:{NUMBER_WORD}|hundred)\b(?! times)", re.IGNORECASE)
_STRENGTH = "strength"
_SHORTEST = 4
SEEDS = ("seed", "noise_seed")
NamedIn = Callable[[Sequence[Value], str], Sequence[str]]
"""Tells the widgets, of such values, that a clause names."""


@dataclass(frozen=True)
class SaidChange:
    """What a clause does to these widgets; `change` is what becomes of a value, if its bounds allow that."""

    widgets: Sequence[str]
    change: Callable[[Value, NodeInput | None], str | None]


@dataclass(frozen=True)
class _Comparison:
    way: str
    widgets: tuple[str, ...]


def changeable(values: Sequence[Value]) -> list[Value]:
    """Those of which there are more and less."""
    return [value for value in values if value.is_number and value.widget not in SEEDS]


def way_of(clause: str) -> str | None:
    """What is to happen to a value: "double", "triple", "half", "up" or "down"."""
    return next((way for way, pattern in _WAYS.items() if pattern.search(clause)), None)


def without_comparison(request: str) -> str | None:
    """What else a request says than "make it wider"; None where it compares nothing."""
    found = [pattern for pattern, _ in _ADJECTIVES if pattern.search(request)]
    if not found:
        return None
    rest = request
    for pattern in found:
        rest = pattern.sub(" ", rest)
    return _MAKE.sub(" ", rest)


def comparison_in(values: Sequence[Value], clause: str, named: NamedIn) -> SaidChange | None:
    if _NUMBER.search(clause):
        return None
    comparison = _comparison(values, clause, named)
    if comparison is None:
        return None
    growth = (_SMALL_GROWTH if _A_BIT.search(clause) else _GROWTH)[comparison.way]
    return SaidChange(comparison.widgets, lambda value, known: _grown(value, growth, known))


def _comparison(values: Sequence[Value], clause: str, named: NamedIn) -> _Comparison | None:
    for pattern, widgets in _ADJECTIVES:
        if pattern.search(clause):
            return _Comparison("down" if _SHRINKING.search(clause) else "up", widgets)
    way = way_of(clause)
    if way is None:
        return None
    if _OF_SIZE.search(clause):
        return _Comparison(way, ("width", "height"))
    widgets = tuple(named(values, clause)) or _strengths(values, clause)
    return _Comparison(way, widgets) if len(set(map(_kind, widgets))) == 1 else None


def _strengths(values: Sequence[Value], clause: str) -> tuple[str, ...]:
    """Of the only node of a type that the clause names: "turn the ControlNet down"."""
    words = [word for word in plain(clause).split() if len(word) >= _SHORTEST]
    meant = [
        value
        for value in values
        if _kind(value.widget) == _STRENGTH
        and any(word in plain(f"{value.node.label} {value.node.type}").replace(" ", "") for word in words)
    ]
    return tuple(value.widget for value in meant) if len({value.node.id for value in meant}) == 1 else ()


def _kind(widget: str) -> str:
    return _STRENGTH if widget.startswith(_STRENGTH) else widget


def _grown(value: Value, growth: float, known: NodeInput | None) -> str | None:
    """Within its bounds; None where it is at one already."""
    now = value.value
    # A whole number may be what is left of 1.0.
    is_whole = isinstance(now, int) and (known is None or known.type != "FLOAT" or now >= _WHOLE_FROM)
    if isinstance(now, int) and now >= _FEWEST_PIXELS:
        new: float = max(_PIXELS, round(now * growth / _PIXELS) * _PIXELS)
    elif is_whole:
        new = max(round(now * growth), now + 1) if growth > 1 else min(round(now * growth), now - 1)
    else:
        new = round(now * growth, 2)
    if known is not None and known.maximum is not None:
        new = min(new, known.maximum)
    if known is not None and known.minimum is not None:
        new = max(new, known.minimum)
    return None if new == now else str(int(new) if is_whole else new)

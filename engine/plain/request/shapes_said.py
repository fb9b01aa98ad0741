"""The shape of the picture where a request names it in place of a size: "landscape", "16:9", "make it square"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import sqrt

from ..names import Value
from .numbers_said import CLAUSES, NODE, Said, one_or_equal

_RATIO = re.compile(
    r"(?<![\d:.])(?:1:1|[54]:[43]|4:5|3:[42]|2:[31]|1:2|16:(?:9|10)|(?:9|10):16|21:9|9:21)(?![\d:])"
)
_SHAPES = {
    "landscape": r"landscape|horizontal|quer|querformat|paysage|apaisad[ao]",
    "portrait": r"portrait|vertical|upright|hochkant|hochformat|retrato",
    "square": r"square|quadrat\w*|carrée?|cuadrad[ao]",
    "wide": r"wide ?screen",
}
_PICTURE = r"it|this|image|picture|pic|photo|video|output|canvas|format|es|bild|taille|imagen|tamaño|size|aspect ratio"
_BETWEEN = r"to|be|in|into|as|is|should|must|more|bit|im|ins|en|soll|sein|zu|auf|al"
_AROUND = r"now|then|instead|jetzt|so"
_ANY = "|".join(_SHAPES.values())
_SAID = (
    rf"\b(?:{_ANY})[- ](?:format|mode|orientation|aspect(?: ratio)?|layout|shape|image|picture|photo|video)\b"
    r"(?!\W+(?:of|with|showing|von|mit|de|con)\b)",
    rf"\b(?:{_PICTURE})\W+(?:(?:{_BETWEEN})\W+)*(?:{_ANY})\b(?!\s+(?!(?:{_AROUND}|and|und|et|y|be|sein|werden|être|ser)\b)\w)",
    rf"^\W*(?:(?:{_AROUND}|in|im|en)\W+)*(?:{_ANY})(?:\W+(?:{_AROUND}))*\W*$",
)
_SHAPE = re.compile("|".join(_SAID), re.IGNORECASE)
_SWAPPED = re.compile(
    r"\b(?:swap|switch|exchange|flip|tausche?|vertausche?|échange|intercambia)\W+(?:the |die |la |el )?"
    r"(?:width|breite|largeur|ancho|height|höhe|hauteur|alto)\W+(?:and|with|und|mit|et|y|con)\W+(?:the |die |la |el )?"
    r"(?:width|breite|largeur|ancho|height|höhe|hauteur|alto)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_UPRIGHT = 2 / 3
"""Width by height of a picture that is told to be upright and is square now."""
_FINE, _COARSE = 16, 64
"""Pixels to which sizes are rounded: where a ratio is to be met, and where only its kind is said."""
_FEWEST_PIXELS = 64


def shapes_said(values: Sequence[Value], request: str) -> Said:
    """Width and height of the same area, as near as round numbers allow; what has that shape keeps its size."""
    width, height = (_one(values, widget, request) for widget in ("width", "height"))
    if width is None or height is None or width.node is not height.node:
        return []
    clauses = [request] if _SWAPPED.search(request) else CLAUSES.split(NODE.sub(" ", request))
    sizes = [size for clause in clauses if (size := _size(width.value, height.value, clause))]
    return [(width, str(sizes[0][0])), (height, str(sizes[0][1]))] if len(sizes) == 1 else []


def without_shapes(request: str) -> str:
    for pattern in (_SWAPPED, _RATIO, _SHAPE):
        request = pattern.sub(" ", request)
    return re.sub(r"\baspect ratio\b", " ", request, flags=re.IGNORECASE)


def _one(values: Sequence[Value], widget: str, request: str) -> Value | None:
    of_size = [
        value
        for value in values
        if value.widget == widget and isinstance(value.value, int) and value.value >= _FEWEST_PIXELS
    ]
    meant = one_or_equal(of_size, request, "")
    return meant[0] if len(meant) == 1 else None


def _size(width: int, height: int, request: str) -> tuple[int, int] | None:
    if _SWAPPED.search(request):
        return height, width
    ratios = _RATIO.findall(request)
    rest = _RATIO.sub(" ", request)
    if _NUMBER.search(rest) or len(ratios) > 1:
        return None
    kind = _kind(rest)
    if ratios:
        wide, high = map(int, ratios[0].split(":"))
        if kind in ("portrait", "landscape"):
            # "3:2 portrait" is 2:3.
            short, long = sorted((wide, high))
            wide, high = (short, long) if kind == "portrait" else (long, short)
        return _of_area(width, height, wide / high, _FINE)
    if kind is None:
        return None
    if kind == "wide":
        return _of_area(width, height, 16 / 9, _FINE)
    if kind == "square":
        return (width, height) if width == height else _of_area(width, height, 1, _COARSE)
    if width != height:
        short, long = sorted((width, height))
        return (long, short) if kind == "landscape" else (short, long)
    ratio = _UPRIGHT if kind == "portrait" else 1 / _UPRIGHT
    return _of_area(width, height, ratio, _COARSE)


def _kind(request: str) -> str | None:
    shape = _SHAPE.search(request)
    return shape and next(
        kind for kind, words in _SHAPES.items() if re.search(words, shape[0], re.IGNORECASE)
    )


def _of_area(width: int, height: int, ratio: float, step: int) -> tuple[int, int]:
    wide = sqrt(width * height * ratio)
    return _rounded(wide, step), _rounded(wide / ratio, step)


def _rounded(side: float, step: int) -> int:
    return max(step, round(side / step) * step)

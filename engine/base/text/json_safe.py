"""JSON that every reader takes.

Python reads and writes more than JSON has: NaN, Infinity, halves of characters. Browsers and providers refuse the whole
document for one of them.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from .valid_unicode import valid_unicode

_DOUBTFUL = ("NaN", "Infinity", "\\ud", "\\uD")
"""Where none of these is in what Python wrote, its numbers are finite and its characters whole."""


def portable(value: Any) -> Any:
    """A JSON value with whole characters in its texts and names, and null for numbers that are not finite."""
    if isinstance(value, str):
        return valid_unicode(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {portable(name): portable(inner) for name, inner in value.items()}
    return [*map(portable, value)] if isinstance(value, (list, tuple)) else value


def portable_json(text: str) -> Any:
    """The `portable` value of a JSON text that Python wrote.

    Raises:
        ValueError, RecursionError: it is no JSON, or nested too deeply.
    """
    value = json.loads(text)
    return portable(value) if any(mark in text for mark in _DOUBTFUL) else value


def strict_json(text: str) -> Any:
    """The value of a JSON text whose numbers are all finite: neither NaN nor Infinity nor `1e999`.

    Raises:
        ValueError, RecursionError: it is no such JSON, or nested too deeply.
    """
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number

"""JSON that every reader accepts.

Python reads and writes more than JSON has: NaN, Infinity, lone surrogates. Browsers and providers reject the whole
document for one of them.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from .valid_unicode import valid_unicode

_DOUBTFUL = ("NaN", "Infinity", "\\ud", "\\uD")
"""Marks of unsafe JSON; a text that Python wrote without any has finite numbers and valid Unicode."""


def portable(value: Any) -> Any:
    """Return a JSON value with valid Unicode in its texts and names, and null for numbers that are not finite."""
    if isinstance(value, str):
        return valid_unicode(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {portable(name): portable(inner) for name, inner in value.items()}
    return [*map(portable, value)] if isinstance(value, (list, tuple)) else value


def portable_json(text: str) -> Any:
    """Return the `portable` value of a JSON text that Python wrote.

    Raises:
        ValueError, RecursionError: it is no JSON, or nested too deeply.
    """
    value = json.loads(text)
    return portable(value) if any(mark in text for mark in _DOUBTFUL) else value


def strict_json(text: str) -> Any:
    """Return the value of a JSON text whose numbers are all finite: neither NaN nor Infinity nor `1e999`.

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

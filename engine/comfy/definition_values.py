"""Values in node definitions, where packs write anything, as texts, numbers and choices."""

from __future__ import annotations

import math
import re
from typing import Any

Scalar = str | int | float | bool

ChoiceLists = dict[tuple[str, ...], tuple[Scalar, ...]]

_MAX_TEXT = 2_000
_MAX_CHOICES = 20_000
_SURROGATES = re.compile("[\ud800-\udfff]")


def as_text(value: Any) -> str:
    """Return a value as text of at most 2,000 characters; a member of a string enumeration by its value, as ComfyUI
    sends it.
    """
    if value is None:
        return ""
    text = str.__str__(value) if isinstance(value, str) else str(value)
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text[:_MAX_TEXT] if len(text) > _MAX_TEXT else text)


def as_number(value: Any) -> int | float | None:
    """Return a finite number, else None: packs write infinities as limits, and JSON has none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_scalar(value: Any) -> Scalar | None:
    if isinstance(value, str):
        return as_text(value)
    return value if isinstance(value, bool) else as_number(value)


def as_sequence(value: Any) -> list[Any] | tuple[Any, ...]:
    if isinstance(value, (list, tuple)):
        return value
    return () if value is None else (value,)


def as_choices(values: list[Any] | tuple[Any, ...], known: ChoiceLists | None) -> tuple[Scalar, ...]:
    """Return the choices of a list, from `known` where an equal list was read before.

    Only lists of texts are looked up, since other values can be equal and differ: True equals 1.
    """
    if known is None or set(map(type, values)) != {str}:
        return _read_choices(values)
    raw = tuple(values)
    found = known.get(raw)
    if found is None:
        found = known[raw] = _read_choices(values)
    return found


def _read_choices(values: list[Any] | tuple[Any, ...]) -> tuple[Scalar, ...]:
    choices = []
    for value in values[:_MAX_CHOICES]:
        scalar = as_scalar(value)
        choices.append(as_text(value) if scalar is None else scalar)
    return tuple(choices)

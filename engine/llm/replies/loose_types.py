"""Values of a provider's reply; one that does not have the API's type counts as absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST = 2**31


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def as_object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def as_count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST
    return value if is_count else None


def as_amount(value: Any) -> float | None:
    """Return a possible amount of money: finite and not negative."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < _MOST else None

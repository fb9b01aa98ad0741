"""Values, as many at a time as one statement may bind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

Value = TypeVar("Value")

_AT_ONCE = 500
"""SQLite before 3.32 binds 999."""


def batches(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    return (values[at : at + _AT_ONCE] for at in range(0, len(values), _AT_ONCE))

"""Whether what a server inside the network says may be told to whoever asks: set where a request comes in.

A context variable, so that what a request begins, such as a turn, keeps to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_are_told: ContextVar[bool] = ContextVar("inner_answers_are_told", default=True)


def are_inner_answers_told() -> bool:
    return _are_told.get()


@contextmanager
def telling_inner_answers(are_told: bool) -> Iterator[None]:
    token = _are_told.set(are_told)
    try:
        yield
    finally:
        _are_told.reset(token)

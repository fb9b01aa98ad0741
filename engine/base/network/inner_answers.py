"""Whether a caller may see the replies of servers inside the private network: set where a request comes in.

It is a context variable, so that whatever a request starts, such as a turn, keeps to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_are_told: ContextVar[bool] = ContextVar("inner_answers_are_told", default=True)


def are_inner_answers_told() -> bool:
    """Return whether the current request's caller may see replies of private servers."""
    return _are_told.get()


@contextmanager
def telling_inner_answers(are_told: bool) -> Iterator[None]:
    """Run the block with replies of private servers shown, or hidden where `are_told` is false."""
    token = _are_told.set(are_told)
    try:
        yield
    finally:
        _are_told.reset(token)

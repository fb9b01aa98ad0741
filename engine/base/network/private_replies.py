"""Whether a caller may see the replies of servers inside the private network: set where a request comes in.

It is a context variable, so that whatever a request starts, such as a turn, keeps to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_are_shown: ContextVar[bool] = ContextVar("private_replies_are_shown", default=True)


def are_private_replies_shown() -> bool:
    """Return whether the current request's caller may see replies of private servers."""
    return _are_shown.get()


@contextmanager
def show_private_replies(are_shown: bool) -> Iterator[None]:
    """Run the block with replies of private servers shown, or hidden where `are_shown` is false."""
    token = _are_shown.set(are_shown)
    try:
        yield
    finally:
        _are_shown.reset(token)

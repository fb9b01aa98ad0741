"""The caller of a request: the ComfyUI user, and whether it may see what servers inside the private network reply.

Both are context variables, set where the request comes in, so that everything that it starts, on other threads and in
the background too, keeps to them without passing them along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import quote

Value = TypeVar("Value")

DEFAULT_USER = "default"
"""The id of the only user, unless ComfyUI was started with --multi-user."""

_current: ContextVar[str | None] = ContextVar("comfy_user", default=None)
_are_shown: ContextVar[bool] = ContextVar("private_replies_are_shown", default=True)


def current_user() -> str | None:
    """Return the id of the request's user; None outside of requests, where work is done for all users."""
    return _current.get()


@contextmanager
def acting_for(user: str) -> Iterator[None]:
    """Run the block on behalf of `user`."""
    token = _current.set(user)
    try:
        yield
    finally:
        _current.reset(token)


def folder_of_user(data: Path) -> Path:
    """Return the folder of the current user's files: the data directory itself for the default user."""
    user = current_user()
    if user is None or user == DEFAULT_USER:
        return data
    return data / "users" / quote(user, safe="").replace(".", "%2E")


class PerUser(Generic[Value]):
    """A value for each user, made from the user's folder on first use."""

    def __init__(self, data: Path, make: Callable[[Path], Value]) -> None:
        self._data = data
        self._make = make
        self._values: dict[Path, Value] = {}

    def get(self) -> Value:
        """Return the current user's value."""
        folder = folder_of_user(self._data)
        if folder in self._values:
            return self._values[folder]
        # Two threads that ask first at the same time get the same value.
        return self._values.setdefault(folder, self._make(folder))


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

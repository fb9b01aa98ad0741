"""Which of ComfyUI's users a request is from: set where it comes in, read where something of a person's own is kept.

It is a context variable, so that whatever a request begins, on other threads and in the background too, is done for the
same user, and no way to a thread can forget to say whose it must be.
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
"""The only one, unless ComfyUI was started with --multi-user."""

_current: ContextVar[str | None] = ContextVar("comfy_user", default=None)


def current_user() -> str | None:
    """None outside of requests, where work is done for all users."""
    return _current.get()


@contextmanager
def acting_for(user: str) -> Iterator[None]:
    token = _current.set(user)
    try:
        yield
    finally:
        _current.reset(token)


def folder_of_user(data: Path) -> Path:
    """Where the current user's own files are: the data directory itself for the default user."""
    user = current_user()
    if user is None or user == DEFAULT_USER:
        return data
    return data / "users" / quote(user, safe="").replace(".", "%2E")


class PerUser(Generic[Value]):
    """One value for each user, made of the user's folder when it is first asked for."""

    def __init__(self, data: Path, make: Callable[[Path], Value]) -> None:
        self._data = data
        self._make = make
        self._values: dict[Path, Value] = {}

    def get(self) -> Value:
        """Return the current user's value."""
        folder = folder_of_user(self._data)
        if folder in self._values:
            return self._values[folder]
        # Of two threads that ask first at the same time, both get the same.
        return self._values.setdefault(folder, self._make(folder))

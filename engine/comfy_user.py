"""Which of ComfyUI's users a request is from: set where it comes in, read where something of a person's own is kept.

It is a context variable, so that whatever a request begins, on other threads and in the background too, is done for the
same user, and no way to a thread can forget to say whose it must be.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from urllib.parse import quote

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

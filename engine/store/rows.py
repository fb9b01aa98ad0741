"""Helpers for the rows of every table: their thread, portable values, and statements with many values."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.caller import current_user
from ..base.errors import RequestError
from ..base.messages import dump
from ..base.text.portable_text import has_lone_surrogate, portable_json

if TYPE_CHECKING:
    from sqlalchemy import Column, ColumnElement, Connection, Select, Table

Value = TypeVar("Value")

_AT_ONCE = 500
"""The values that one statement binds; SQLite before 3.32 allows 999."""


def require_thread(connection: Connection, thread_id: str, *, is_locked: bool = False) -> Any:
    """Return the row of a thread; with `is_locked`, lock it against other processes until the transaction ends.

    Another user's thread is as unknown as one that does not exist.

    Raises:
        RequestError: `unknown_thread` (404).
    """
    user = current_user()
    rows = _row_of_thread(is_of_user=user is not None, is_locked=is_locked)
    row = connection.execute(rows, {"thread_id": thread_id, "user": user}).first()
    if row is None:
        raise RequestError(
            "unknown_thread",
            "This chat does not exist any more; it may have been deleted in another tab.",
            hint="Start a new chat; the text you typed is still in the composer.",
            status=404,
        )
    return row


@cache
def _row_of_thread(*, is_of_user: bool, is_locked: bool) -> Select[Any]:
    """Return the statement that reads a thread's row.

    It is cached: building a statement takes as long as running it, and each step of a turn reads its thread.
    """
    from sqlalchemy import bindparam

    from .schema import thread

    rows = thread.select().where(thread.c.id == bindparam("thread_id"))
    rows = rows.where(thread.c.owner == bindparam("user")) if is_of_user else rows
    return rows.with_for_update() if is_locked else rows


@cache
def rows_of_thread(table: Table, *columns: Column[Any]) -> Select[Any]:
    """Return the statement that reads the rows of the thread `of` in order, or some of their columns."""
    from sqlalchemy import bindparam, select

    return select(*(columns or table.c)).where(table.c.thread_id == bindparam("of")).order_by(table.c.seq)


def is_of_current_user() -> ColumnElement[bool]:
    """Return the condition for threads of the current user; outside of requests, for all threads."""
    from sqlalchemy import true

    from .schema import thread

    user = current_user()
    return true() if user is None else thread.c.owner == user


def owners(connection: Connection) -> list[str]:
    """Return the users that have threads; within a request, only its own user."""
    from sqlalchemy import select

    from .schema import thread

    return list(connection.execute(select(thread.c.owner).where(is_of_current_user()).distinct()).scalars())


def batches(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """Split values into batches that one statement may bind."""
    return (values[at : at + _AT_ONCE] for at in range(0, len(values), _AT_ONCE))


def stored_json(value: Any) -> str:
    """Return a value as JSON that `portable_json` reads. Lone surrogates, which databases refuse, are escaped."""
    text = dump(value)
    return json.dumps(value, separators=(",", ":")) if has_lone_surrogate(text) else text


def read_json(text: str | None, otherwise: Any) -> Any:
    """Return the value of a JSON text; `otherwise` if there is none, it is no JSON, or its type differs from
    `otherwise`.
    """
    try:
        value = otherwise if text is None else portable_json(text)
    except (ValueError, RecursionError):
        return otherwise
    return value if otherwise is None or isinstance(value, type(otherwise)) else otherwise


def pack(json_text: str) -> bytes:
    """Return a JSON text compressed."""
    return zlib.compress(json_text.encode())


def unpack(data: bytes | None) -> str | None:
    """Return the JSON text that was packed; None if there is none or its checksum does not match."""
    try:
        return None if data is None else zlib.decompress(data).decode()
    except (zlib.error, TypeError, ValueError):
        return None


def stored_text(text: str) -> str:
    """Return a text without what databases refuse: lone surrogates, and NUL in PostgreSQL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")

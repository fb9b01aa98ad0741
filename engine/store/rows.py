"""What the rows of every table share: their thread, values that every database takes, and statements of many values."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.comfy_user import current_user
from ..base.errors import RequestError
from ..base.messages import dump
from ..base.text.json_safe import portable_json
from ..base.text.valid_unicode import has_lone_surrogate

if TYPE_CHECKING:
    from sqlalchemy import Column, ColumnElement, Connection, Select, Table

Value = TypeVar("Value")

_AT_ONCE = 500
"""SQLite before 3.32 binds 999."""


def require_thread(connection: Connection, thread_id: str, *, is_locked: bool = False) -> Any:
    """The row of a thread, locked against other processes until the transaction ends where that is asked for.

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
    """Made once: to make a statement takes as long as to run it, and each step of a turn asks for its thread."""
    from sqlalchemy import bindparam

    from .schema import thread

    rows = thread.select().where(thread.c.id == bindparam("thread_id"))
    rows = rows.where(thread.c.owner == bindparam("user")) if is_of_user else rows
    return rows.with_for_update() if is_locked else rows


@cache
def rows_of_thread(table: Table, *columns: Column[Any]) -> Select[Any]:
    """Those of the thread `of` in their order, or some columns of them; made once, as well."""
    from sqlalchemy import bindparam, select

    return select(*(columns or table.c)).where(table.c.thread_id == bindparam("of")).order_by(table.c.seq)


def is_of_current_user() -> ColumnElement[bool]:
    """What holds of the threads of the user whom the work is done for; of all where it is done for nobody's."""
    from sqlalchemy import true

    from .schema import thread

    user = current_user()
    return true() if user is None else thread.c.owner == user


def owners(connection: Connection) -> list[str]:
    """The users who have threads, of those whom the work is done for."""
    from sqlalchemy import select

    from .schema import thread

    return list(connection.execute(select(thread.c.owner).where(is_of_current_user()).distinct()).scalars())


def batches(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """The values, as many at a time as one statement may bind."""
    return (values[at : at + _AT_ONCE] for at in range(0, len(values), _AT_ONCE))


def stored_json(value: Any) -> str:
    """JSON for `portable_json`. Halves of characters, which no database takes, are written as escapes."""
    text = dump(value)
    return json.dumps(value, separators=(",", ":")) if has_lone_surrogate(text) else text


def read_json(text: str | None, otherwise: Any) -> Any:
    """The value of a JSON text; `otherwise` where there is none, or it is damaged: no JSON, or of another type."""
    try:
        value = otherwise if text is None else portable_json(text)
    except (ValueError, RecursionError):
        return otherwise
    return value if otherwise is None or isinstance(value, type(otherwise)) else otherwise


def pack(json_text: str) -> bytes:
    return zlib.compress(json_text.encode())


def unpack(data: bytes | None) -> str | None:
    """The JSON text that was packed; None where there is none or it is damaged, which its checksum tells."""
    try:
        return None if data is None else zlib.decompress(data).decode()
    except (zlib.error, TypeError, ValueError):
        return None


def stored_text(text: str) -> str:
    """The text without what a database refuses: halves of characters, and NUL, which PostgreSQL has no place for."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")

"""The conversation table: role, content and time of each message; and SQLite's full-text index over it.

It is written while events are appended to the log, has the messages of all branches, and is what search reads.
`content` is what a user would remember: the texts, and the one-line summaries of tool results. The index is
`message_search`, an FTS5 table whose rowids are the `seq` of the messages. It indexes trigrams, which find any three
characters of any language, or words if SQLite is too old.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from ..base.messages import Part, is_tool_part
from .log.event_log import LogEvent, read_log
from .rows import batches, stored_text

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

Index = Literal["trigram", "words", "postgresql", "none"]


@dataclass
class _Addition:
    """The texts that events added to one message."""

    message_id: str
    role: str
    created_at: float
    texts: list[str]


def add_to_messages(connection: Connection, thread_id: str, events: Iterable[tuple[LogEvent, float]]) -> None:
    """Add the texts of events to the rows of their messages. Each event comes with its time."""
    from .schema import message

    additions = _additions(events)
    index = index_kind(connection)
    rows = _rows_by_message(connection, thread_id, [addition.message_id for addition in additions])
    for addition in additions:
        content = stored_text("\n\n".join(filter(None, addition.texts)))
        row = rows.get(addition.message_id)
        if row is None:
            new = {
                "thread_id": thread_id,
                "message_id": addition.message_id,
                "role": addition.role,
                "content": content,
                "created_at": addition.created_at,
            }
            key = connection.execute(message.insert(), new).inserted_primary_key
            assert key is not None
            index_message(connection, key[0], content, index=index)
        elif content:
            if addition.role == "assistant":
                content = "\n\n".join(filter(None, (row.content, content)))
            connection.execute(message.update().where(message.c.seq == row.seq).values(content=content))
            index_message(connection, row.seq, content, index=index, is_new=False)


def catch_up(connection: Connection) -> None:
    """Write the rows of threads that have none."""
    from sqlalchemy import exists, select

    from .schema import event, message, thread

    behind = connection.execute(
        select(thread.c.id).where(
            exists().where(event.c.thread_id == thread.c.id, event.c.kind.in_(("user", "step"))),
            ~exists().where(message.c.thread_id == thread.c.id),
        )
    )
    for thread_id in behind.scalars().all():
        log = [(row.read()[0], row.created_at) for row in read_log(connection, thread_id)]
        add_to_messages(connection, thread_id, [(entry, at) for entry, at in log if entry is not None])


def _rows_by_message(connection: Connection, thread_id: str, ids: Sequence[str]) -> dict[str, Any]:
    rows_by_id: dict[str, Any] = {}
    for batch in batches(ids):
        rows = connection.execute(_rows_of_messages(), {"of": thread_id, "ids": batch})
        rows_by_id |= {row.message_id: row for row in rows}
    return rows_by_id


@cache
def _rows_of_messages() -> Select[Any]:
    from sqlalchemy import bindparam

    from .schema import message

    is_one_of_them = message.c.message_id.in_(bindparam("ids", expanding=True))
    return message.select().where(message.c.thread_id == bindparam("of"), is_one_of_them)


def _additions(events: Iterable[tuple[LogEvent, float]]) -> list[_Addition]:
    """Return the texts that each message gained, in the order of the messages."""
    additions: dict[str, _Addition] = {}
    for event, created_at in events:
        if event.kind not in ("user", "step", "result"):
            continue
        role = "user" if event.kind == "user" else "assistant"
        addition = additions.setdefault(event.message_id, _Addition(event.message_id, role, created_at, []))
        addition.texts += (
            [_outcome(event.payload)] if event.kind == "result" else map(_part_text, event.payload["parts"])
        )
    return list(additions.values())


def _part_text(part: Part) -> str:
    if part["type"] == "text":
        return part["text"].strip()
    if part["type"] == "file":
        return str(part.get("filename") or "")
    return _outcome(part) if is_tool_part(part) else ""


def _outcome(result: Mapping[str, Any]) -> str:
    output = result.get("output")
    if not isinstance(output, dict):
        return str(result.get("errorText") or "")
    return str(output.get("summary") or output.get("error") or "")


def index_kind(connection: Connection) -> Index:
    """Return the kind of index that this database has."""
    if connection.dialect.name != "sqlite":
        return "postgresql" if connection.dialect.name == "postgresql" else "none"
    made_by = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_master WHERE name = 'message_search'"
    ).scalar()
    return "none" if made_by is None else "trigram" if "trigram" in made_by else "words"


def index_message(
    connection: Connection, seq: int, content: str, *, index: Index, is_new: bool = True
) -> None:
    """Write the content of the message `seq` into the index, if SQLite has one."""
    if index not in ("trigram", "words"):
        return
    if not is_new:
        connection.exec_driver_sql("DELETE FROM message_search WHERE rowid = ?", (seq,))
    connection.exec_driver_sql("INSERT INTO message_search (rowid, content) VALUES (?, ?)", (seq, content))


def delete_from_index(connection: Connection, thread_id: str) -> None:
    """Delete the messages of a thread from the index."""
    from sqlalchemy import text

    if index_kind(connection) in ("trigram", "words"):
        connection.execute(
            text("DELETE FROM message_search WHERE rowid IN (SELECT seq FROM message WHERE thread_id = :id)"),
            {"id": thread_id},
        )

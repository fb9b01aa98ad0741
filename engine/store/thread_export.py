"""The export of a thread: everything that is stored of it, as one JSON document.

The document is assembled from the JSON in the database: the log as it is read, damaged entries as text, and each sent
message once under `blobs`, where the requests refer to it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..base.text.portable_text import portable_json
from .log.event_log import EventRow
from .log.thread_reader import ActiveThreads, branch_tree, read_thread
from .rows import require_thread, stored_json, unpack

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

FORMAT = "comfyui-assistant-thread"
VERSION = 1


def export_thread(connection: Connection, thread_id: str) -> bytes:
    """Return the document of a thread, as UTF-8.

    Raises:
        RequestError: `unknown_thread`.
    """
    from . import schema

    def rows(table: Table) -> list[dict[str, Any]]:
        statement = table.select().where(table.c.thread_id == thread_id)
        return [dict(row) for row in connection.execute(statement.order_by(table.c.seq)).mappings()]

    thread = require_thread(connection, thread_id)
    conversation, tree = read_thread(connection, thread_id, ActiveThreads()), branch_tree(connection, thread)
    document = {
        "format": stored_json(FORMAT),
        "version": stored_json(VERSION),
        "exportedAt": stored_json(time.time()),
        "thread": stored_json(
            {
                "id": thread.id,
                "title": thread.title,
                "createdAt": thread.created_at,
                "updatedAt": thread.updated_at,
                "pinned": thread.pinned,
                "owner": thread.owner,
                "persona": thread.persona,
                "provider": thread.provider,
                "model": thread.model,
                "searchesAll": thread.searches_all,
            }
        ),
        "messages": _list(map(stored_json, conversation.messages)),
        "branches": _list(stored_json(branch.as_json()) for branch in tree.branches()),
        "events": _list(map(_event, rows(schema.event))),
        "systemForms": stored_json(conversation.system_forms),
        "compactions": _list(map(_row, rows(schema.compaction))),
        "pins": _list(map(_row, rows(schema.pin))),
        "requests": _list(map(_row, rows(schema.request))),
        "blobs": _object({str(row["seq"]): unpack(row["data"]) or "null" for row in rows(schema.blob)}),
        "tasks": _list(map(_row, rows(schema.task))),
    }
    return (_object(document) + "\n").encode()


def _event(row: Mapping[str, Any]) -> str:
    entry = EventRow(row["seq"], row["kind"], row["message_id"], row["payload"], row["created_at"])
    _, problem = entry.read()
    return _object(
        {
            "seq": stored_json(entry.seq),
            "kind": stored_json(entry.kind),
            "messageId": stored_json(entry.message_id),
            "createdAt": stored_json(entry.created_at),
            "payload": stored_json(entry.payload if problem else portable_json(entry.payload)),
            **({"damaged": stored_json(problem)} if problem else {}),
        }
    )


def _row(row: Mapping[str, Any]) -> str:
    """Return a row as JSON, under the names of its columns, with packed JSON unpacked."""
    return _object(
        {
            name: unpack(value) or "null" if isinstance(value, bytes) else stored_json(value)
            for name, value in row.items()
            if name != "thread_id"
        }
    )


def _object(members: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{stored_json(name)}:{text}" for name, text in members.items()) + "}"


def _list(items: Iterable[str]) -> str:
    return "[" + ",\n".join(items) + "]"

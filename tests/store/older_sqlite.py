"""The full-text indexes that older versions of SQLite have."""

from __future__ import annotations

from comfyui_assistant.engine.store.message_rows import Index
from sqlalchemy import Connection


def search_by(connection: Connection, index: Index) -> None:
    """Leave an empty database with the index of today, with the one of before trigrams, or without FTS5."""
    if index != "trigram":
        connection.exec_driver_sql("DROP TABLE message_search")
    if index == "words":
        connection.exec_driver_sql(
            "CREATE VIRTUAL TABLE message_search USING fts5(content, tokenize='unicode61')"
        )

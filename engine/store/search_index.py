"""The full-text index of SQLite over the content of messages, and the statements that search it.

PostgreSQL searches the conversation table itself. SQLite has `message_search`, an FTS5 table whose rowids are the
`seq` of the messages. It indexes trigrams, which find any three characters of any language, or words if SQLite is too
old. Short words and parts of Chinese ones, which the index cannot find, are searched without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from .rows import is_of_current_user

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

Index = Literal["trigram", "words", "postgresql", "none"]

_POSTGRESQL_CHARACTERS = 200_000
"""The characters of a message that PostgreSQL indexes, since a tsvector has a size limit."""


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


def search_statements(
    terms: Sequence[str], *, index: Index, thread_id: str | None, without: str | None = None, limit: int
) -> list[Select[Any]]:
    """Return statements to run in this order until one finds something, the strictest first."""
    from sqlalchemy import and_, or_, select

    from .schema import message, thread

    every_message = (
        select(message, thread.c.title.label("thread_title"))
        .join(thread, thread.c.id == message.c.thread_id)
        .where(is_of_current_user())
        .limit(limit)
    )
    if thread_id is not None:
        every_message = every_message.where(message.c.thread_id == thread_id)
    if without is not None:
        every_message = every_message.where(message.c.thread_id != without)
    newest_first = message.c.seq.desc()
    containments = [message.c.content.ilike(f"%{escape_like(term)}%", escape="\\") for term in terms]
    by_containment = [
        every_message.where(and_(*containments)).order_by(newest_first),
        every_message.where(or_(*containments)).order_by(newest_first),
    ]
    if index == "postgresql":
        return [_search_postgresql(every_message, " ".join(terms), newest_first), *by_containment]
    index_terms = [term for term in terms if _is_found_by(index, term)]
    if not index_terms:
        return by_containment
    others = [
        containment for term, containment in zip(terms, containments, strict=True) if term not in index_terms
    ]
    phrases = [_phrase(index, term) for term in index_terms]
    return [
        _search_fts5(every_message, " AND ".join(phrases), newest_first).where(*others),
        _search_fts5(every_message, " OR ".join(phrases), newest_first),
        *by_containment[1:],
    ]


def _search_fts5(every_message: Select[Any], query: str, then: ColumnElement[Any]) -> Select[Any]:
    from sqlalchemy import column, literal_column, table

    from .schema import message

    index = table("message_search", column("rowid"), column("content"))
    return (
        every_message.join(index, index.c.rowid == message.c.seq)
        .where(index.c.content.op("MATCH")(query))
        .order_by(literal_column("message_search.rank"), then)
    )


def _search_postgresql(every_message: Select[Any], query: str, then: ColumnElement[Any]) -> Select[Any]:
    from sqlalchemy import func, literal_column

    from .schema import message

    # It has to be the expression of the index `message_words`.
    simple = literal_column("'simple'")
    words = func.to_tsvector(
        simple, func.left(message.c.content, literal_column(str(_POSTGRESQL_CHARACTERS)))
    )
    ts_query = func.plainto_tsquery(simple, query)
    return every_message.where(words.op("@@")(ts_query)).order_by(func.ts_rank(words, ts_query).desc(), then)


def _is_found_by(index: Index, term: str) -> bool:
    if index == "trigram":
        return len(term) >= 3
    return index == "words" and term.isascii() and term.isalnum()


def _phrase(index: Index, term: str) -> str:
    quotation = '"' + term.replace('"', '""') + '"'
    return quotation if index == "trigram" else quotation + "*"


def escape_like(term: str) -> str:
    """Return a term for LIKE, with its wildcards escaped by a backslash."""
    return term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")

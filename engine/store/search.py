"""Search in all messages of a user: every thread and every branch, cleared or not.

PostgreSQL searches the conversation table itself, SQLite its full-text index. Short words and parts of Chinese ones,
which the index cannot find, are searched without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .database import Database
from .message_rows import Index, index_kind
from .rows import is_of_current_user, stored_text

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

MAX_HITS = 100
_MAX_TERMS = 12
_TERM_LENGTH = 100
_BEFORE, _AFTER = 60, 140
_POSTGRESQL_CHARACTERS = 200_000
"""The characters of a message that PostgreSQL indexes, since a tsvector has a size limit."""


@dataclass(frozen=True)
class Hit:
    """A message that a search found, with an excerpt. `created_at` is in seconds since the epoch."""

    thread_id: str
    thread_title: str | None
    message_id: str
    role: str
    created_at: float
    excerpt: str

    def as_json(self) -> dict[str, Any]:
        return {
            "threadId": self.thread_id,
            "threadTitle": self.thread_title,
            "messageId": self.message_id,
            "role": self.role,
            "createdAt": self.created_at,
            "excerpt": self.excerpt,
        }


class ThreadSearch:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(
        self, query: str, *, thread_id: str | None = None, without: str | None = None, limit: int = 20
    ) -> list[Hit]:
        """Return the messages that contain all words of `query`, else any of them, best first, at most 100.

        The search covers one thread, or all threads, if wanted `without` one. Any text is a query: its words are
        found in any case, also within longer words.
        """
        words = stored_text(query).split()
        terms = list(dict.fromkeys(word[:_TERM_LENGTH] for word in words))[:_MAX_TERMS]
        if not terms:
            return []
        return await self._database.run(_search, terms, thread_id, without, max(1, min(limit, MAX_HITS)))


def _search(
    connection: Connection, terms: Sequence[str], thread_id: str | None, without: str | None, limit: int
) -> list[Hit]:
    index = index_kind(connection)
    for statement in search_statements(terms, index=index, thread_id=thread_id, without=without, limit=limit):
        if hits := [_hit(row, terms) for row in connection.execute(statement)]:
            return hits
    return []


def _hit(row: Any, terms: Sequence[str]) -> Hit:
    excerpt = _excerpt(row.content, terms)
    return Hit(row.thread_id, row.thread_title, row.message_id, row.role, row.created_at, excerpt)


def _excerpt(content: str, terms: Sequence[str]) -> str:
    """Return the text around the first word that was found."""
    small_content = content.lower()
    places = [place for term in terms if (place := small_content.find(term.lower())) >= 0]
    place_of_first = min(places, default=0)
    start, end = max(0, place_of_first - _BEFORE), place_of_first + _AFTER
    line = " ".join(content[start:end].split())
    return ("…" if start else "") + line + ("…" if end < len(content) else "")


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

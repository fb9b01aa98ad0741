"""Search in all messages of a user: every thread and every branch, cleared or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .database import Database
from .rows import stored_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_HITS = 100
_MAX_TERMS = 12
_TERM_LENGTH = 100
_BEFORE, _AFTER = 60, 140


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
    from .search_index import index_kind, search_statements

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

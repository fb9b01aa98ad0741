"""The route that searches all threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import RequestError
from ..store.history import MAX_HITS, HistorySearch
from .guarded import Route, reply
from .threads import whole_number

if TYPE_CHECKING:
    from aiohttp import web

_LIMIT = 20


class HistoryHandlers:
    def __init__(self, history: HistorySearch) -> None:
        self._history = history

    def routes(self) -> list[Route]:
        return [Route("GET", "/assistant/history", self.search)]

    async def search(self, request: web.Request) -> web.Response:
        query = request.query.get("query", "")
        if not query.strip():
            raise RequestError(
                "invalid_request",
                "query is empty; expected words to look for.",
                hint="GET /api/assistant/history?query=red+sky",
            )
        limit = whole_number(request, "limit", most=MAX_HITS) or _LIMIT
        hits = await self._history.search(query, thread_id=request.query.get("threadId"), limit=limit)
        return reply({"results": [hit.as_json() for hit in hits]})

"""The route that searches all threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.errors import RequestError
from ..store.search import MAX_HITS, ThreadSearch
from .guard import Route
from .json_reply import reply
from .query import whole_number

if TYPE_CHECKING:
    from aiohttp import web

_LIMIT = 20


class SearchHandlers:
    def __init__(self, search: ThreadSearch) -> None:
        self._search = search

    def routes(self) -> list[Route]:
        return [Route("GET", "/assistant/search", self.search)]

    async def search(self, request: web.Request) -> web.Response:
        query = request.query.get("query", "")
        if not query.strip():
            raise RequestError(
                "invalid_request",
                "query is empty; expected words to look for.",
                hint="GET /api/assistant/search?query=red+sky",
            )
        limit = whole_number(request, "limit", most=MAX_HITS) or _LIMIT
        hits = await self._search.search(query, thread_id=request.query.get("threadId"), limit=limit)
        return reply({"results": [hit.as_json() for hit in hits]})

"""The route of the chat: a request in, the chunks of its answer out."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from ..chat.answering import Answering
from ..chat.request import parse_chat_request
from ..context.plan import Plan
from .body import read_json
from .guarded import Route
from .sse_response import send_stream

if TYPE_CHECKING:
    from aiohttp import web

CONTEXT_HEADER = "X-Assistant-Context"
"""`<tokens>/<window> <form>` of the first request of a response, and which files its system message leaves out."""
_MOST_SOURCES = 12


class ChatHandlers:
    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    def routes(self) -> list[Route]:
        return [Route("POST", "/chat", self.chat)]

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer the newest message, or go on after tool results: docs/api.md, POST /chat."""
        chat_request = parse_chat_request(await read_json(request))
        keeps_reports = request.query.get("debug") == "context"
        async with self._answering.answer(chat_request, keeps_reports=keeps_reports) as answer:
            return await send_stream(request, answer.chunks, headers=_headers(answer.first_request))


def _headers(plan: Plan | None) -> dict[str, str]:
    if plan is None:
        return {}
    value = f"{plan.tokens}/{plan.window} {plan.form}"
    sources = [quote(entry.source, safe="/") for entry in plan.left_out[:_MOST_SOURCES]]
    if len(plan.left_out) > _MOST_SOURCES:
        sources.append(f"+{len(plan.left_out) - _MOST_SOURCES}")
    return {CONTEXT_HEADER: f"{value}; left-out={','.join(sources)}" if sources else value}

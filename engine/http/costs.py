"""Routes for the costs of requests."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ..store.costs import Costs, CostSum, today
from .guard import Route
from .json_reply import reply
from .query import whole_number

if TYPE_CHECKING:
    from aiohttp import web

_DAYS, _MOST_DAYS = 30, 3_660


class CostHandlers:
    def __init__(self, costs: Costs) -> None:
        self._costs = costs

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/costs", self.read),
            Route("GET", "/assistant/threads/{id}/costs", self.of_thread),
        ]

    async def read(self, request: web.Request) -> web.Response:
        days = whole_number(request, "days", most=_MOST_DAYS) or _DAYS
        since = (date.fromisoformat(today()) - timedelta(days=days - 1)).isoformat()
        entries = await self._costs.sums_by_day_and_model(since)
        threads = await self._costs.sums_by_thread(since)
        today_cost = sum((spent for day, _, spent in entries if day == today()), CostSum())
        by_model: dict[str, CostSum] = defaultdict(CostSum)
        for _, model, spent in entries:
            by_model[model] += spent
        return reply(
            {
                "since": since,
                "today": {"day": today(), **today_cost.as_json()},
                "total": sum(by_model.values(), CostSum()).as_json(),
                "days": [{"day": day, "model": model, **spent.as_json()} for day, model, spent in entries],
                "models": [{"model": model, **spent.as_json()} for model, spent in by_model.items()],
                "chats": [
                    {"threadId": thread_id, "title": title, **spent.as_json()}
                    for thread_id, title, spent in threads
                ],
            }
        )

    async def of_thread(self, request: web.Request) -> web.Response:
        answers = await self._costs.sums_by_answer(request.match_info["id"])
        total = sum((spent for _, spent in answers), CostSum())
        return reply(
            {
                "total": total.as_json(),
                "answers": [{"messageId": message_id, **spent.as_json()} for message_id, spent in answers],
            }
        )

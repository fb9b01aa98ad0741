from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import ReplyEvent, ReplyFinished, TextDelta, Usage
from comfyui_assistant.engine.chat.replies.cost_meter import Bill, CostMeter
from comfyui_assistant.engine.chat.replies.filtered_model import FilteredModel
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.refusals import failures
from comfyui_assistant.engine.store.costs import Costs, CostSum
from comfyui_assistant.engine.store.database import Database

ENDPOINT = Endpoint("https://api.example/v1", "gpt-4.1")


class Reply:
    """A model that says so much of one reply, and then fails where it has to."""

    def __init__(self, *events: ReplyEvent, failure: Exception | None = None) -> None:
        self._events, self._failure = events, failure

    async def stream(self, *_: Any) -> AsyncGenerator[ReplyEvent, None]:
        for event in self._events:
            yield event
        if self._failure is not None:
            raise self._failure


async def cost_of(folder: Path, reply: Reply, *, reads: int = 99) -> CostSum:
    costs = Costs(Database.in_folder(folder))
    bill = Bill(costs, count_text, None, "a1")
    model = FilteredModel(reply, lambda request: [CostMeter(bill, request)])
    with contextlib.suppress(type(failures.empty_reply("m"))):
        async with contextlib.aclosing(
            model.stream(ENDPOINT, [{"role": "user", "content": "hi"}], [])
        ) as events:
            async for _ in events:
                reads -= 1
                if not reads:
                    break
    return await costs.today_cost()


async def test_a_reply_costs_what_its_provider_counted_at_the_price_of_its_model(tmp_path: Path) -> None:
    end = ReplyFinished("stop", (), Usage(1_000_000, 0, 400_000))
    assert await cost_of(tmp_path, Reply(end)) == CostSum(1, 1_000_000, 400_000, 0, pytest.approx(1.4))


async def test_what_the_provider_charged_counts_before_the_price_of_the_model(tmp_path: Path) -> None:
    end = ReplyFinished("stop", (), Usage(1_000_000, 0, 400_000, dollars=0.03))
    assert (await cost_of(tmp_path, Reply(end))).dollars == pytest.approx(0.03)


async def test_a_reply_that_the_person_stops_is_counted(tmp_path: Path) -> None:
    spent = await cost_of(tmp_path, Reply(TextDelta("Hello"), TextDelta(" there")), reads=1)
    assert (spent.requests, spent.counted, spent.output_tokens) == (1, 1, count_text("Hello"))


async def test_a_request_that_fails_before_anything_came_is_not_billed(tmp_path: Path) -> None:
    assert await cost_of(tmp_path, Reply(failure=failures.empty_reply("m"))) == CostSum()

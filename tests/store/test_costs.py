from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.store.costs import Costs, CostSum, today
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore


async def billed(costs: Costs, thread_id: str | None, *, dollars: float | None) -> None:
    await costs.add(
        thread_id=thread_id,
        message_id="a1",
        kind="answer",
        model="m",
        usage=Usage(10, 2, 4),
        is_counted=False,
        dollars=dollars,
    )


async def test_requests_without_a_price_are_told_apart(tmp_path: Path) -> None:
    costs = Costs(Database.in_folder(tmp_path))
    await billed(costs, None, dollars=0.5)
    await billed(costs, None, dollars=None)
    assert await costs.today_cost() == CostSum(2, 20, 8, 4, 0.5, unpriced=1)


async def test_a_request_that_ends_after_its_thread_was_deleted_counts_for_the_day(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    costs, threads = Costs(database), ThreadStore(database)
    thread = await threads.create()
    await threads.delete(thread.id)
    await billed(costs, thread.id, dollars=0)
    assert await costs.sums_by_thread(today()) == [(None, None, CostSum(1, 10, 4, 2))]

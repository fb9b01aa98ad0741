from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from comfyui_assistant.engine.events import Usage
from comfyui_assistant.engine.store.costs import Costs, Spent, today
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.requests import Requests
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
    assert await costs.of_today() == Spent(2, 20, 8, 4, 0.5, unpriced=1)


async def test_a_request_that_ends_after_its_thread_was_deleted_counts_for_the_day(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    costs, threads = Costs(database), ThreadStore(database)
    thread = await threads.create()
    await threads.delete(thread.id)
    await billed(costs, thread.id, dollars=0)
    assert await costs.by_thread(today()) == [(None, None, Spent(1, 10, 4, 2))]


async def test_requests_that_were_kept_before_costs_were_have_theirs(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    threads, requests = ThreadStore(database), Requests(database)
    thread = await threads.create()
    kept = await requests.keep(
        thread.id, message_id="a1", step=1, model="m", messages=[], tools=[], estimated_tokens=9
    )
    await requests.finish(kept, usage=Usage(10, 2), first_token_ms=None)
    database.close()
    with closing(sqlite3.connect(tmp_path / "assistant.sqlite3")) as connection:
        connection.execute("DROP TABLE cost")
        connection.execute("DROP TABLE made_run")
        for column in ("provider", "model", "workflow", "searches_all", "answers_from"):
            connection.execute(f"ALTER TABLE thread DROP COLUMN {column}")
        connection.execute("UPDATE alembic_version SET version_num = 'own_words'")
        connection.commit()
    costs = Costs(Database.in_folder(tmp_path))
    assert await costs.by_answer(thread.id) == [("a1", Spent(1, 10, 0, 2, unpriced=1))]

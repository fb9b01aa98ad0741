"""What processes tell each other, on a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import psycopg
from comfyui_assistant.engine.store.processes.process_news import PostgresqlNews


async def test_all_others_hear_it_and_go_on_to_after_their_session_was_ended(database: str) -> None:
    heard: dict[str, list[Mapping[str, Any]]] = {"one": [], "other": []}
    both = {name: PostgresqlNews(database) for name in heard}
    for name, news in both.items():
        news.listen(heard[name].append)
    try:
        await _until_heard(both["one"], heard["other"])
        assert heard["one"] == []
        url = database.replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN%'"
            )
        heard["other"].clear()
        await _until_heard(both["one"], heard["other"])
    finally:
        for news in both.values():
            news.close()


async def _until_heard(teller: PostgresqlNews, heard: list[Mapping[str, Any]]) -> None:
    """What is told before the other listens is lost."""
    for _ in range(200):
        await teller.tell({"say": "漢字"})
        await asyncio.sleep(0.05)
        if heard:
            assert heard[0]["say"] == "漢字"
            return
    raise AssertionError("nothing was heard within ten seconds")

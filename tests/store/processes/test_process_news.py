from __future__ import annotations

import asyncio
import logging

import pytest
from comfyui_assistant.engine.store.processes import process_news
from comfyui_assistant.engine.store.processes.process_news import PostgresqlNews


async def test_a_database_that_cannot_be_listened_to_is_tried_again_and_named_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[str] = []

    def refuse(url: str) -> None:
        tries.append(url)
        raise OSError("nobody there")

    monkeypatch.setattr(process_news, "open_session", refuse)
    monkeypatch.setattr(process_news, "_PAUSE_SECONDS", 0.01)
    news = PostgresqlNews("postgresql://nobody")
    with caplog.at_level(logging.INFO):
        for _ in range(2):
            news.listen(lambda _: None)
        while len(tries) < 3:
            await asyncio.sleep(0.01)
        news.close()
    assert "other processes are not heard (nobody there)" in caplog.text

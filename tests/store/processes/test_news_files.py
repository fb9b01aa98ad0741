from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.store.processes import news_files
from comfyui_assistant.engine.store.processes.news_files import NewsFiles


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news_files, "_LOOK_SECONDS", 0.01)


async def until_listening(news: NewsFiles, *, is_listening: bool = True) -> None:
    while news.is_listening != is_listening:
        await asyncio.sleep(0.005)


async def test_all_others_hear_it_once_and_nothing_is_left(tmp_path: Path) -> None:
    heard: dict[str, list[Mapping[str, Any]]] = {"one": [], "two": [], "three": []}
    all_three = {name: NewsFiles(tmp_path / "turns", lambda: True) for name in heard}
    assert await all_three["one"].tell({"say": "before anybody listens"})
    for name, news in all_three.items():
        news.listen(heard[name].append)
        news.listen(heard[name].append)
        await until_listening(news)
    assert await all_three["one"].tell({"say": "漢字"})
    while not (heard["two"] and heard["three"]):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    assert heard == {"one": [], "two": [{"say": "漢字"}], "three": [{"say": "漢字"}]}
    for news in all_three.values():
        news.close()
    assert [*(tmp_path / "turns").iterdir()] == []


async def test_it_is_looked_for_only_as_long_as_that_is_needed(tmp_path: Path) -> None:
    needs = [True]
    heard: list[Mapping[str, Any]] = []
    listener, teller = NewsFiles(tmp_path, lambda: bool(needs)), NewsFiles(tmp_path, lambda: True)
    listener.listen(heard.append)
    await until_listening(listener)
    needs.clear()
    await until_listening(listener, is_listening=False)
    assert await teller.tell({"say": "lost"})
    needs.append(True)
    listener.listen(heard.append)
    await until_listening(listener)
    assert await teller.tell({"say": "heard"})
    while not heard:
        await asyncio.sleep(0.01)
    assert heard == [{"say": "heard"}]
    listener.close()
    teller.close()


async def test_what_is_no_news_is_passed_over_and_what_a_killed_process_left_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news_files, "_KEPT_SECONDS", 0.05)
    heard: list[Mapping[str, Any]] = []
    listener, teller = NewsFiles(tmp_path, lambda: True), NewsFiles(tmp_path, lambda: True)
    listener.listen(heard.append)
    await until_listening(listener)
    (tmp_path / "half.news").write_bytes(b'{"say": "half')
    (tmp_path / "list.news").write_bytes(b"[1]")
    (tmp_path / "deep.news").write_bytes(b"[" * 4_096)
    (tmp_path / "folder.news").mkdir()
    os.utime(tmp_path / "half.news", (0, 0))
    await asyncio.sleep(0.05)
    assert await teller.tell({"say": "whole"})
    while not heard:
        await asyncio.sleep(0.01)
    assert heard == [{"say": "whole"}]
    while any(path.name not in ("list.news", "deep.news", "folder.news") for path in tmp_path.iterdir()):
        await asyncio.sleep(0.01)
    listener.close()
    teller.close()


async def test_what_cannot_be_told_is_named_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    news = NewsFiles(tmp_path / "file", lambda: True)
    with caplog.at_level(logging.INFO):
        assert not await news.tell({"say": "anything"})
    assert "other processes could not be told of a Stop" in caplog.text
    news.close()

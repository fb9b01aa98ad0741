from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.chat.live_turns import LiveTurns
from comfyui_assistant.engine.chat.pages.turn_pages import TurnPages
from comfyui_assistant.engine.chat.running import RunningTurns
from comfyui_assistant.engine.chat.stops import STOP_EVENT, Stops
from comfyui_assistant.engine.comfy_user import DEFAULT_USER, acting_for
from comfyui_assistant.engine.store.processes import news_files
from comfyui_assistant.engine.store.processes.news_files import NewsFiles

from .test_live_turns import Answers, asked, until


async def test_a_stop_ends_the_response_and_is_told_to_the_page_of_the_turn() -> None:
    told: list[Any] = []
    turns, pages = LiveTurns(Answers(waits=True), pause_seconds=5), TurnPages(lambda _: True)
    stops = Stops(turns, pages, lambda *what: told.append(what), running=RunningTurns())
    await turns.begin(asked("t1"))
    pages.put("t1", "first")

    assert not await stops.stop("t2")
    assert told == []
    assert not await stops.stop("t1", answer="another")
    assert await stops.stop("t1", answer="a1")
    assert not await stops.stop("t1", response="r1")
    assert told == [("first", STOP_EVENT, {"thread": "t1", "answer": answer}) for answer in ("another", "a1")]


@pytest.mark.parametrize(
    ("told", "is_meant"),
    [
        pytest.param({"answer": None, "question": "u0"}, False, id="the turn before, without an answer yet"),
        pytest.param({"answer": "a0", "question": None}, False, id="the turn before"),
        pytest.param({"answer": None, "question": "u1"}, True, id="this one, without an answer yet"),
        pytest.param({"answer": "a1", "question": None}, True, id="this one"),
        pytest.param({"answer": None, "question": None}, True, id="whichever runs"),
    ],
)
async def test_a_stop_of_another_process_ends_the_turn_that_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any], is_meant: bool
) -> None:
    """The one before may have ended, and the next one begun, before it is heard."""
    monkeypatch.setattr(news_files, "_LOOK_SECONDS", 0.02)
    turns, pages = LiveTurns(Answers(waits=True), pause_seconds=5), TurnPages(lambda _: True)
    heard, news = NewsFiles(tmp_path, turns.is_busy), NewsFiles(tmp_path, lambda: True)
    stops = Stops(turns, pages, lambda *_: None, running=RunningTurns(), news=heard)
    with acting_for(DEFAULT_USER):
        stops.listen()
        live = await turns.begin(asked("t1"))
        pages.put("t1", "first", answer="a1")
        while not heard.is_listening:
            await asyncio.sleep(0.01)
        assert await news.tell({"user": None, "stop": "t1", **told})
        assert await news.tell({"user": None, "stop": "t2", "answer": None, "question": None})
        if is_meant:
            await until(lambda: live.is_over)
        else:
            await asyncio.sleep(0.2)
        assert (live.is_over, pages.is_stopped("t1")) == (is_meant, is_meant)
    news.close()
    stops.close()
    await turns.close()

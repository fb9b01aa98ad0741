from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.chat.live_turns import LiveTurns
from comfyui_assistant.engine.chat.running import RunningTurns
from comfyui_assistant.engine.chat.stops import STOP_EVENT, Stops
from comfyui_assistant.engine.chat.turn_pages import TurnPages

from .test_live_turns import Answers, asked


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

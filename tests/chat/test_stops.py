from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.chat.response_streams import ResponseStreams
from comfyui_assistant.engine.chat.stops import STOP_EVENT, Stops
from comfyui_assistant.engine.chat.turn_locks import TurnLocks
from comfyui_assistant.engine.chat.turn_tabs import TurnTabs

from .test_response_streams import Answers, asked


async def test_a_stop_ends_the_response_and_is_told_to_the_page_of_the_turn() -> None:
    told: list[Any] = []
    turns, tabs = ResponseStreams(Answers(waits=True).answer, pause_seconds=5), TurnTabs(lambda _: True)
    stops = Stops(turns, tabs, lambda *what: told.append(what), turn_locks=TurnLocks())
    await turns.begin(asked("t1"))
    tabs.put("t1", "first")

    assert not await stops.stop("t2")
    assert told == []
    assert not await stops.stop("t1", answer="another")
    assert await stops.stop("t1", answer="a1")
    assert not await stops.stop("t1", response="r1")
    assert told == [("first", STOP_EVENT, {"thread": "t1", "answer": answer}) for answer in ("another", "a1")]


@pytest.mark.parametrize(
    ("answer", "is_meant"),
    [
        pytest.param("a0", False, id="the turn before, which ended meanwhile"),
        pytest.param("a1", True, id="this one"),
        pytest.param("", True, id="whichever runs"),
    ],
)
async def test_a_stop_of_another_process_ends_the_turn_that_is_meant(answer: str, is_meant: bool) -> None:
    turns, tabs = ResponseStreams(Answers(waits=True).answer, pause_seconds=5), TurnTabs(lambda _: True)
    stops = Stops(turns, tabs, lambda *_: None, turn_locks=TurnLocks())
    live = await turns.begin(asked("t1"))
    tabs.put("t1", "first", answer="a1")
    await stops.stop_for_another_process("t1", answer)
    assert (live.is_over, tabs.is_stopped("t1")) == (is_meant, is_meant)
    await turns.close()

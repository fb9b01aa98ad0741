from __future__ import annotations

import pytest
from comfyui_assistant.engine.chat.calls.limits import Limits
from comfyui_assistant.engine.chat.turn.turn_clock import TurnClock, TurnClocks

from tests.fake_model import calls

from ..one_response import Run


def test_a_clock_runs_while_the_model_is_asked_and_stands_still_between() -> None:
    moments = iter([10.0, 15.0, 100.0, 107.0])
    clock = TurnClock(lambda: next(moments))
    with clock.running():
        pass
    with pytest.raises(ValueError, match="broke off"), clock.running():
        raise ValueError("it broke off")
    assert clock.seconds == 12


def test_all_responses_of_a_turn_share_a_clock() -> None:
    clocks = TurnClocks()
    first = clocks.of("a1")
    assert clocks.of("a1") is first
    assert clocks.of("a2") is not first
    for number in range(1_000):
        clocks.of(f"b{number}")
    assert clocks.of("a1") is not first


async def test_a_turn_that_has_taken_its_minutes_stops_and_asks_before_the_next_request() -> None:
    clock = TurnClock(iter(range(0, 10_000, 70)).__next__)
    run = Run(
        *[calls((f"c{n}", "look", f'{{"n":{n}}}')) for n in range(9)], limits=Limits(minutes=3), clock=clock
    )
    await run.go()
    assert len(run.model.requests) == 3
    notice = run.one("data-notice")["data"]
    assert (notice["code"], notice["message"].split(" without")[0]) == (
        "step-limit",
        "Stopped after 3 minutes",
    )

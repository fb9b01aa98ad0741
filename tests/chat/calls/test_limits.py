from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.chat.calls.limits import (
    Limits,
    Spending,
    TurnClock,
    TurnClocks,
    TurnUsage,
    limit_notice,
)
from comfyui_assistant.engine.store.costs import Costs
from comfyui_assistant.engine.store.database import Database

from tests.fake_model import calls

from ..one_response import Run

USER: Any = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "please"}]}
STEP = {"type": "step-start"}
CALL = {"type": "tool-look", "toolCallId": "c1", "state": "input-available", "input": {}}


def answer(*parts: Any) -> Any:
    return {"id": "a1", "role": "assistant", "parts": list(parts)}


@pytest.mark.parametrize(
    ("conversation", "after"),
    [
        pytest.param([USER, answer(STEP, CALL, CALL)], None, id="below both limits"),
        pytest.param([USER, answer(STEP, STEP)], "2 steps", id="steps"),
        pytest.param([USER, answer(STEP, CALL, CALL, CALL)], "3 tool calls", id="calls"),
        pytest.param([USER, answer(STEP), answer(STEP)], "2 steps", id="over all responses of the turn"),
        pytest.param([USER, answer(STEP, STEP), USER], None, id="a new message counts anew"),
    ],
)
def test_a_turn_goes_so_far_before_the_person_is_asked(conversation: Any, after: str | None) -> None:
    notice = limit_notice(conversation, Limits(steps=2, calls=3))
    assert (notice and notice.message.split(" without")[0]) == (after and f"Stopped after {after}")


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
    first = clocks.get("a1")
    assert clocks.get("a1") is first
    assert clocks.get("a2") is not first
    for number in range(1_000):
        clocks.get(f"b{number}")
    assert clocks.get("a1") is not first


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


async def spent_by(tmp_path: Path, message_id: str) -> Costs:
    costs = Costs(Database.in_folder(tmp_path))
    usage = Usage(1_000, 50, 0)
    await costs.add(
        thread_id=None,
        message_id=message_id,
        kind="answer",
        model="m",
        usage=usage,
        is_counted=False,
        dollars=0.524,
    )
    return costs


@pytest.mark.parametrize(
    ("budgets", "told"),
    [
        pytest.param({}, None, id="none is set"),
        pytest.param({"answer_tokens": 1_051, "day_cents": 53}, None, id="both have room"),
        pytest.param(
            {"answer_tokens": 1_050, "day_cents": 53},
            "1,050 of 1,050 tokens spent on this answer",
            id="tokens are spent",
        ),
        pytest.param(
            {"answer_tokens": 1_051, "day_cents": 52}, "$0.52 of $0.52 spent today", id="money is spent"
        ),
    ],
)
async def test_a_budget_is_reached_when_all_of_it_is_spent(
    tmp_path: Path, budgets: dict[str, int], told: str | None
) -> None:
    notice = await Spending(await spent_by(tmp_path, "a1"), "a1", **budgets).budget_notice()
    assert (notice.message.split(": ")[1].split(". ")[0] if notice else None) == told


async def test_tokens_are_those_of_the_answer_and_money_that_of_all_answers(tmp_path: Path) -> None:
    costs = await spent_by(tmp_path, "a1")
    assert await Spending(costs, "a2", answer_tokens=1).budget_notice() is None
    assert await Spending(costs, "a2", day_cents=1).budget_notice()


def test_the_tokens_of_all_requests_count_and_the_newest_usage_is_shown() -> None:
    usage = TurnUsage()
    usage.add(None)
    assert (usage.tokens, usage.as_json()) == (0, {})
    usage.add(Usage(10, 2, 8))
    usage.add(Usage(20, 3))
    assert (usage.tokens, usage.newest) == (35, Usage(20, 3))
    assert usage.as_json() == {"inputTokens": 20, "outputTokens": 3, "totalTokens": 23}

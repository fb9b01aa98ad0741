from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.chat.turn.spending import Spending
from comfyui_assistant.engine.store.costs import Costs
from comfyui_assistant.engine.store.database import Database


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
    notice = await Spending(await spent_by(tmp_path, "a1"), "a1", **budgets).reached()
    assert (notice.message.split(": ")[1].split(". ")[0] if notice else None) == told


async def test_tokens_are_those_of_the_answer_and_money_that_of_all_answers(tmp_path: Path) -> None:
    costs = await spent_by(tmp_path, "a1")
    assert await Spending(costs, "a2", answer_tokens=1).reached() is None
    assert await Spending(costs, "a2", day_cents=1).reached()

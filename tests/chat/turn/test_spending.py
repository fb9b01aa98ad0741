from __future__ import annotations

import pytest
from comfyui_assistant.engine.chat.turn.spending import Budget, budgets_of
from comfyui_assistant.engine.settings.options import Options
from comfyui_assistant.engine.store.costs import Spent


def test_only_budgets_that_are_set_hold() -> None:
    assert list(budgets_of(Options())) == []
    assert list(budgets_of(Options(budget_day_cents=50))) == [Budget("budget_day_cents", "day", "cents", 50)]


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget("budget_turn_tokens", "turn", "tokens", 1_000), "1,050 of 1,000 tokens spent this turn"),
        (Budget("budget_day_cents", "day", "cents", 50), "$0.52 of $0.50 spent today"),
    ],
)
def test_a_notice_says_what_was_spent_of_what_and_what_to_do(budget: Budget, told: str) -> None:
    notice = budget.notice(Spent(2, 1_000, 0, 50, 0.52))
    assert (notice.code, told in notice.message, budget.option in notice.message) == ("budget", True, True)

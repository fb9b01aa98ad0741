"""What models have cost, and the budgets, on their page."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend

CHARGED = {"prompt_tokens": 12_000, "completion_tokens": 300, "cost": 0.0123}
CHARGED["prompt_tokens_details"] = {"cached_tokens": 9_000}
ROW = (
    "INSERT INTO cost (owner, message_id, kind, model, created_at, day, input_tokens, cached_input_tokens,"
    " output_tokens, is_counted, dollars) VALUES ('default', 'earlier', 'answer', ?, 0, ?, ?, ?, ?, false, ?)"
)


def keep_earlier_days(comfyui: ComfyUIProcess) -> None:
    """A month of three models, one of which has no known price."""
    file = comfyui.base / "user" / "__comfyui_assistant" / "assistant.sqlite3"
    with closing(sqlite3.connect(file)) as database, database:
        for ago in range(1, 29):
            day = (date.today() - timedelta(days=ago)).isoformat()
            size = 40_000 + 9_000 * (ago * 7 % 11)
            database.execute(ROW, ("gpt-4.1", day, size, size // 2, size // 30, size / 400_000))
            if ago % 3:
                database.execute(ROW, ("claude-sonnet-4-5", day, size // 2, 0, size // 60, size / 300_000))
            if ago % 4 == 0:
                database.execute(ROW, ("somebodys-own-model", day, size, 0, size // 40, None))


def test_what_was_spent_is_shown_by_day_model_chat_and_answer_and_a_budget_is_set_there(
    comfy, panel: Panel, model, comfyui
):
    keep_earlier_days(comfyui)
    model.play({"about": "Charged.", "steps": [{"reply": [{"say": "Nothing."}], "usage": CHARGED}]})
    panel.ask("what is in this workflow?")
    expect(panel.answers.last).to_contain_text("12,300 tokens, 9,000 cached · $0.01")

    panel.send("/costs")
    page = panel.root.get_by_role("region", name="Costs")
    chart = page.get_by_role("img")
    day = f"{date.today():%b} {date.today().day}"
    expect(chart).to_have_attribute("aria-label", re.compile(rf", {day}: \$0\.01$"))
    answers = page.get_by_role("region", name="Answers of this chat")
    expect(answers.get_by_role("row")).to_have_count(2)
    expect(answers).to_contain_text("12k75 %300$0.01")
    expect(page).to_contain_text("7 requests went to models whose price is not known")
    panel.look_at("costs")
    page.get_by_role("region", name="Chats").scroll_into_view_if_needed()
    panel.look_at("costs-below")

    page.get_by_role("button", name="12 months").click()
    page.get_by_role("button", name="Tokens").click()
    expect(chart).to_have_attribute("aria-label", re.compile(rf"{date.today():%b %Y}: [\d.]+[kM] tokens$"))

    budgets = page.get_by_role("region", name="Budgets")
    expect(budgets.get_by_role("spinbutton")).to_have_count(2)
    of_answer = budgets.get_by_label("Tokens per answer")
    of_answer.fill("10000")
    of_answer.press("Enter")
    expect(of_answer).to_have_value("10000")
    of_day = budgets.get_by_label("Dollars per day")
    of_day.fill("0.01")
    of_day.press("Enter")
    expect(budgets).to_contain_text("123 % spent")
    panel.look_at("budgets")
    panel.close_view()
    try:
        panel.send("and again")
        expect(panel.root.locator(".cass-notice", has_text="The budget is reached")).to_be_visible()
        assert len(model.requests) == 1
    finally:
        panel.send("/config budget-day-dollars default")
        panel.send("/config budget-turn-tokens default")
    assert comfy.errors == []

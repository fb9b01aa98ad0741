"""Budgets: where one is reached the turn stops, and goes on when the person says so."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from dev.places import SCREENSHOTS
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend


LOOK_AND_SAY = {
    "about": "Two requests for one answer.",
    "steps": [
        {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
        {"reply": [{"say": "It samples."}]},
    ],
}
COUNT = """() => {
  const root = document.querySelector(".cass-root");
  window.__mostNotices = 0;
  const count = () => root.textContent.split("The budget is reached").length - 1;
  new MutationObserver(() => { window.__mostNotices = Math.max(window.__mostNotices, count()); })
    .observe(root, { subtree: true, childList: true, characterData: true });
}"""


def test_a_turn_that_reached_a_budget_goes_on_by_one_button(comfy, panel: Panel, model):
    model.play(LOOK_AND_SAY)
    panel.send("/config budget-turn-tokens 1")
    try:
        comfy.page.evaluate(COUNT)
        panel.send("what does a KSampler do?")
        panel.wait_until_the_turn_is_over()
        notice = panel.root.get_by_text("The budget is reached")
        expect(notice).to_contain_text("of 1 tokens spent on this answer")
        assert comfy.page.evaluate("() => window.__mostNotices") == 1
        assert len(model.requests) == 1
        panel.page.screenshot(path=SCREENSHOTS / "budget.png")
        panel.answers.last.get_by_role("button", name="Continue").click()
        panel.wait_until_the_turn_is_over()
        expect(panel.answers).to_have_count(2)
        assert len(model.requests) == 3
        assert panel.answer() == "It samples."
    finally:
        panel.send("/config budget-turn-tokens default")
    assert comfy.errors == []

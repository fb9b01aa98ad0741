"""A rule that the person states, agrees to, and finds again in this chat and in others."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.host.panel import Panel
from tests.host.scenarios import scenario


def agree_to_the_rule(panel: Panel, model) -> None:
    model.play(scenario("remembered-rule"))
    panel.send("always answer in German")
    question = panel.page.get_by_role("alertdialog")
    expect(question).to_contain_text("Follow this rule in all chats?")
    expect(question).to_contain_text("Answer in German.")
    question.get_by_role("button", name="Remember").click()
    panel.wait_until_the_turn_is_over()


def find_the_rule_in_this_chat_and_in_others(comfy, panel: Panel, model) -> None:
    """Forgets it afterwards."""
    panel.ask("and now?")
    assert "always follow it: Answer in German." in str(model.requests[-1].messages[-1])
    panel.begin_new_chat()
    panel.ask("hello")
    assert "- Answer in German." in model.requests[-1].messages[0]["content"]
    comfy.fetch("/assistant/you/rules", method="DELETE", body={"text": "Answer in German."})

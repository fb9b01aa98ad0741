"""What the model is sent, looked at in the panel, and the commands that change it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from dev.places import SCREENSHOTS
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend

BUILD = "make a red 64x64 image and save it"


def ring(panel: Panel) -> Locator:
    return panel.page.get_by_role("button", name="Show the context")


def page_of_context(panel: Panel, name: str) -> Locator:
    panel.root.get_by_role("tab", name=name).click()
    return panel.root.get_by_role("tabpanel")


def test_the_ring_tells_how_full_the_context_is_and_opens_the_window(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")

    expect(ring(panel)).to_have_attribute("title", re.compile(r"^Context: [\d,]+ of [\d,]+ tokens"))
    ring(panel).click()

    shown = page_of_context(panel, "Window")
    for block in ("Tools", "System message", "Turns", "Free", "Reserve"):
        expect(shown.get_by_role("rowheader", name=re.compile(f"^{block}"))).to_be_visible()
    expect(shown).to_contain_text("The last request took")
    panel.close_view()
    expect(panel.composer).to_be_focused()
    assert comfy.errors == []


@pytest.mark.slow
def test_the_ring_is_there_after_a_reload(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")

    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()

    expect(ring(reopened)).to_be_visible()


@pytest.mark.slow
def test_every_request_can_be_read_as_it_was_sent(panel, model):
    model.play("red-image")
    panel.ask(BUILD)

    panel.send("/context")
    shown = page_of_context(panel, "What was sent")

    expect(shown.get_by_role("listitem").filter(has_text="Step")).to_have_count(len(model.requests))
    expect(shown.get_by_label("The request as it was sent")).to_contain_text("calls executeWorkflow")
    panel.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.get_by_role("button", name="Copy as JSON").click()
    copied = json.loads(panel.page.evaluate("navigator.clipboard.readText()"))
    assert copied["messages"] == model.requests[-1].messages
    assert copied["tools"] == model.requests[-1].body["tools"]
    panel.close_view()


def test_the_model_begins_afresh_and_undo_brings_everything_back(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("remember the aubergine")

    panel.send("/context clear")
    expect(panel.notice).to_contain_text("Context cleared.")
    panel.ask("what did I say?")
    assert "aubergine" not in str(model.requests[-1].messages[1:])
    expect(panel.messages.first).to_contain_text("remember the aubergine")

    panel.send("/context clear")
    panel.notice.get_by_role("button", name="Undo").click()
    expect(panel.notice).to_contain_text("Taken back")
    assert comfy.errors == []


def test_undo_right_after_clearing_brings_back_what_was_said(panel, model):
    model.play(scenario("short-answer"))
    panel.ask("remember the aubergine")

    panel.send("/context clear")
    panel.notice.get_by_role("button", name="Undo").click()
    expect(panel.notice).to_contain_text("Taken back")
    panel.ask("what did I say?")

    assert "aubergine" in str(model.requests[-1].messages[1:])


def test_a_pin_is_recited_until_it_is_taken_back(panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")

    panel.send("/pin the seed stays 4711")
    expect(panel.notice).to_contain_text("Pinned")
    panel.ask("go on")
    assert "4711" in str(model.requests[-1].messages)
    panel.send("/goals")
    expect(page_of_context(panel, "Goals")).to_contain_text("the seed stays 4711")
    panel.page.get_by_role("button", name="Unpin “the seed stays 4711”").click()
    expect(panel.page.get_by_role("button", name="Unpin “the seed stays 4711”")).to_have_count(0)
    panel.close_view()
    panel.ask("and on")
    assert "4711" not in str(model.requests[-1].messages[-1])


def test_a_setting_is_changed_and_put_back(panel, model):
    panel.send("/config max-steps 12")
    expect(panel.notice).to_contain_text("Steps of a message: now 12 steps.")

    panel.notice.get_by_role("button", name="Undo").click()

    expect(panel.notice).to_contain_text("Steps of a message:")
    expect(panel.notice).to_contain_text("again.")


def test_a_value_that_does_not_fit_is_answered_with_what_would(panel, model):
    panel.send("/config max_steps many")

    expect(panel.errors).to_contain_text("many")
    expect(panel.composer).to_have_value("/config max_steps many")
    panel.page.get_by_role("button", name="Dismiss").click()


def test_commands_about_the_context_never_reach_the_model(panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    asked = len(model.requests)

    for command in ("/context", "/goals", "/trace", "/config", "/history hello"):
        panel.send(command)
        expect(panel.page.locator(".cass-overlay")).to_be_visible()
        panel.close_view()
        expect(panel.page.locator(".cass-overlay")).to_have_count(0)

    assert len(model.requests) == asked
    expect(panel.messages).to_have_count(2)


def test_a_delegated_task_can_be_followed_and_stays_out_of_the_chat(comfy, panel, model):
    model.play(scenario("delegated-task"))
    panel.ask("compare the samplers")
    assert panel.tools_by_state() == [("delegate", "succeeded")]

    panel.send("/trace")
    shown = page_of_context(panel, "Tasks")
    task = shown.locator(".cass-tasks > li")
    expect(task).to_contain_text("done · 2 steps")
    task.get_by_role("button", name="Read KSampler").click()

    expect(task).to_contain_text("KSampler wants a model.")
    expect(task).to_contain_text("calls getNodeInfo")
    comfy.screenshot(SCREENSHOTS / "tasks.png")
    panel.close_view()
    assert comfy.errors == []


@pytest.mark.slow
def test_what_was_condensed_stands_in_the_chat_and_can_be_read(comfy, panel, model):
    model.play(scenario("short-answer"))
    for number in range(6):
        panel.ask(f"The aubergine number {number} is the right one, please.")

    panel.send("/compact aubergines")
    expect(panel.notice).to_contain_text("ummarized")
    panel.ask("go on")

    divider = panel.page.locator(".cass-compaction")
    expect(divider).to_have_count(1)
    divider.get_by_role("button", name="Show").click()
    expect(divider.locator("pre")).to_contain_text("aubergine number 0")
    comfy.screenshot(SCREENSHOTS / "divider.png")
    assert "aubergine number 0" in str(model.requests[-1].messages)
    assert len(model.requests[-1].messages) < len(model.requests[-2].messages)
    panel.send("/context")
    condensed = page_of_context(panel, "Summarized")
    expect(condensed).to_contain_text("asked for")
    panel.close_view()

    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()
    expect(reopened.page.locator(".cass-compaction")).to_have_count(1)


@pytest.fixture
def forgetful(comfy):
    """The server is one for all tests, and what it learned here is no fact for the others."""
    yield
    comfy.fetch("/assistant/providers/learned-window", method="DELETE", body={})


@pytest.mark.usefixtures("forgetful")
def test_a_refused_request_is_answered_in_the_short_form_on_retry_and_what_it_taught_can_be_forgotten(
    comfy, panel, model
):
    steps = [{"reply": [{"say": "I am here."}]}]
    model.play({"about": "Little room.", "window": 4_000, "steps": steps, "after": "repeat"})
    panel.send("hello")
    panel.wait_until_the_turn_is_over()
    expect(panel.messages.last).to_contain_text("gets a short set of tools")
    panel.look_at("window-too-small")
    panel.messages.last.get_by_role("button", name="Retry").first.click()
    expect(panel.messages.last).to_contain_text("I am here.")

    ring(panel).click()
    shown = page_of_context(panel, "Window")
    expect(shown).to_contain_text("4,000 tokens was learned from a request that was too long on")
    comfy.screenshot(SCREENSHOTS / "learned-window.png")
    comfy.page.evaluate("app.extensionManager.setting.set('Comfy.ColorPalette', 'light')")
    comfy.page.wait_for_timeout(500)
    comfy.screenshot(SCREENSHOTS / "learned-window-light.png")
    comfy.page.evaluate("app.extensionManager.setting.set('Comfy.ColorPalette', 'dark')")
    shown.get_by_role("button", name="Forget it").click()
    expect(shown).not_to_contain_text("learned")
    panel.close_view()

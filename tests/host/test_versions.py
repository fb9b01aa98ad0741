"""What was said before an edit or another answer is kept, and what a turn has changed can be undone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.panel import Panel
from tests.host.scenarios import scenario


@pytest.mark.slow
@pytest.mark.any_frontend
def test_the_answer_before_another_one_can_be_gone_back_to(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    first = panel.answers.last.get_attribute("data-message-id")

    panel.page.get_by_role("button", name="Answer again").click()
    expect(panel.versions.last).to_contain_text("2/2")
    assert panel.answers.last.get_attribute("data-message-id") != first
    panel.page.get_by_role("button", name="Previous version").last.click()

    expect(panel.versions.last).to_contain_text("1/2")
    assert panel.answers.last.get_attribute("data-message-id") == first
    comfy.reload()
    reopened = Panel(comfy.page)
    reopened.open()
    expect(reopened.versions.last).to_contain_text("1/2")
    assert comfy.errors == []


@pytest.mark.any_frontend
def test_an_edited_message_has_its_versions_too(panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    panel.ask("and again")

    panel.messages.filter(has_text="and again").hover()
    panel.page.get_by_role("button", name="Edit message").last.click()
    panel.page.get_by_role("textbox", name="Edit message").fill("something else")
    panel.page.keyboard.press("Enter")
    expect(panel.messages.filter(has_text="something else").locator(".cass-branches")).to_contain_text("2/2")
    panel.page.get_by_role("button", name="Previous version").last.click()

    expect(panel.messages.filter(has_text="and again").locator(".cass-branches")).to_contain_text("1/2")
    expect(panel.messages).to_have_count(4)


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_turn_that_ran_the_workflow_can_be_undone_from_its_answer(comfy, panel, model):
    kept = comfy.add_node("ImageBlur")
    model.play("red-image")
    panel.ask("make a red 64x64 image and save it")
    assert len(comfy.node_types()) == 3

    panel.page.get_by_role("button", name="Undo this turn").click()

    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")
    assert list(comfy.prompt()) == [kept]
    expect(panel.page.get_by_role("button", name="Undo this turn")).to_have_count(0)
    expect(panel.answers.last.get_by_role("status")).to_have_text("Undone.")
    assert (
        panel.answers.last.locator(".cass-tool").first.evaluate("(card) => getComputedStyle(card).opacity")
        == "0.5"
    )

    panel.ask("hello")
    assert 'The user undid what you changed on "make a red 64x64 image and save it".' in str(
        model.requests[-1]
    )
    panel.page.get_by_role("button", name="Redo").click()
    comfy.page.wait_for_function("() => app.graph.nodes.length === 3")
    expect(panel.page.get_by_role("button", name="Undo this turn").first).to_be_enabled()
    expect(panel.answers.first.get_by_role("status")).to_have_count(0)


ADDS_AN_IMAGE = {
    "about": "Adds a node, whatever is asked for.",
    "steps": [
        {"reply": [{"call": "addNode", "arguments": {"type": "EmptyImage"}}]},
        {"reply": [{"say": "There it is."}]},
    ],
}


def test_another_answer_is_a_turn_of_its_own_to_undo(comfy, panel, model):
    model.play(ADDS_AN_IMAGE)
    panel.ask("add an image")
    panel.page.get_by_role("button", name="Answer again").click()
    expect(panel.versions.last).to_contain_text("2/2")
    panel.wait_until_the_turn_is_over()
    assert comfy.node_types() == ["EmptyImage", "EmptyImage"]

    undo = panel.page.get_by_role("button", name="Undo this turn")
    panel.answers.last.hover()
    undo.click()
    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")
    expect(undo).to_have_count(0)

    panel.page.get_by_role("button", name="Previous version").last.click()
    undo.click()
    comfy.page.wait_for_function("() => app.graph.nodes.length === 0")


def test_a_turn_is_undone_beneath_later_changes_unless_they_are_to_the_same(comfy, panel, model, bridge):
    model.play(ADDS_AN_IMAGE)
    panel.ask("add an image")
    (image,) = comfy.prompt()
    bridge.set_by_hand(image, "width", 77)

    undo = panel.page.get_by_role("button", name="Undo this turn")
    undo.click()
    expect(panel.root.get_by_role("alert")).to_contain_text(
        f"Nothing was undone: {image} EmptyImage changed since"
    )
    assert comfy.prompt()[image]["inputs"]["width"] == 77

    comfy.page.locator("#graph-canvas").focus()
    comfy.page.keyboard.press("Control+z")
    comfy.page.wait_for_function("() => app.graph.nodes[0].widgets[0].value !== 77")
    bridge.edit({"op": "add", "type": "SaveImage"})
    undo.click()
    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")
    assert comfy.node_types() == ["SaveImage"]


def test_the_model_undoes_its_last_turn_when_it_is_asked_to(comfy, panel, model):
    model.play(ADDS_AN_IMAGE)
    panel.ask("add an image")
    model.play(
        {
            "about": "Undoes the turn before.",
            "steps": [{"reply": [{"call": "undoTurn", "arguments": {}}]}, {"reply": [{"say": "Undone."}]}],
        }
    )

    panel.ask("undo that")

    assert comfy.node_types() == []
    expect(panel.answers.first.get_by_role("button", name="Redo")).to_be_visible()

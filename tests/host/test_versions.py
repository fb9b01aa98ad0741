"""What was said before an edit or another answer is kept, and what a turn has changed can be undone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.host.panel import Panel
from tests.host.scenarios import scenario


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


def test_a_turn_that_ran_the_workflow_can_be_undone_from_its_answer(comfy, panel, model):
    kept = comfy.add_node("ImageBlur")
    model.play("red-image")
    panel.ask("make a red 64x64 image and save it")
    assert len(comfy.node_types()) == 3

    panel.page.get_by_role("button", name="Undo this turn").click()

    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")
    assert list(comfy.prompt()) == [kept]
    expect(panel.page.get_by_role("button", name="Undo this turn")).to_have_count(0)


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


def test_what_lies_on_top_of_a_turn_is_told_before_the_turn_can_be_undone(comfy, panel, model, bridge):
    model.play(ADDS_AN_IMAGE)
    panel.ask("add an image")
    bridge.edit({"op": "add", "type": "SaveImage"})

    undo = panel.page.get_by_role("button", name="Undo this turn")
    panel.page.mouse.move(5, 5)
    panel.answers.last.hover()
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)

    expect(panel.root.get_by_role("alert")).to_contain_text("Press Ctrl+Z on the canvas until those changes")
    assert comfy.node_types() == ["EmptyImage", "SaveImage"]
    comfy.page.locator("#graph-canvas").focus()
    comfy.page.keyboard.press("Control+z")
    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")
    panel.page.mouse.move(5, 5)
    panel.answers.last.hover()
    expect(panel.root.get_by_role("alert")).to_have_count(0)
    undo.click()
    comfy.page.wait_for_function("() => app.graph.nodes.length === 0")

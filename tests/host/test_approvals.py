"""Ask mode: a tool waits for the person before something of weight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from dev.places import SCREENSHOTS
from tests.host.panel import Panel
from tests.host.scenarios import scenario

BUILD = "make a red 64x64 image and save it"


@pytest.fixture
def asking(panel: Panel) -> Iterator[Panel]:
    panel.switch_approvals()
    yield panel
    panel.switch_approvals()


def question(panel: Panel) -> Locator:
    return panel.root.get_by_role("alertdialog")


ALLOWS_AT_ONCE = """() => new MutationObserver((_, observer) => {
    const allow = document.querySelector(".cass-approval .cass-primary");
    if (!allow) return;
    observer.disconnect();
    allow.click();
    window.clicked = true;
}).observe(document.body, { childList: true, subtree: true })"""


def test_a_click_that_comes_with_the_question_is_no_answer_to_it(asking, model):
    model.play("red-image")
    asking.page.evaluate(ALLOWS_AT_ONCE)
    asking.send(BUILD)

    asking.page.wait_for_function("window.clicked")
    expect(question(asking).get_by_role("button", name="Allow")).to_be_enabled()
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "waiting")
    question(asking).get_by_role("button", name="Deny").click()
    asking.wait_until_the_turn_is_over()
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "skipped")


def test_a_run_waits_until_the_person_allows_it(comfy, asking, model):
    model.play("red-image")
    asking.send(BUILD)

    expect(question(asking)).to_contain_text("Run the workflow?")
    expect(question(asking).get_by_role("button", name="Allow")).to_be_focused()
    expect(asking.page.locator(".cass-dots")).to_have_count(0)
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "waiting")
    expect(question(asking).get_by_role("button", name="Allow")).to_be_enabled()
    asking.page.keyboard.press("Enter")

    asking.wait_until_the_turn_is_over()
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "succeeded")
    expect(asking.composer).to_be_focused()
    assert comfy.errors == []


def test_a_view_over_the_chat_tells_of_a_question_underneath_and_leads_to_it(comfy, asking, model):
    model.play("red-image")
    asking.send(BUILD)
    expect(question(asking).get_by_role("button", name="Allow")).to_be_enabled()
    asking.root.get_by_role("button", name="You", exact=True).click()

    told = asking.root.get_by_role("button", name="The assistant is waiting for your answer")
    expect(told).to_be_visible()
    asking.look_at("question-under-a-view")
    told.click()
    expect(told).to_have_count(0)
    question(asking).get_by_role("button", name="Deny").click()
    asking.wait_until_the_turn_is_over()
    asking.root.get_by_role("button", name="You", exact=True).click()
    expect(asking.root.get_by_role("region", name="You")).to_be_visible()
    expect(told).to_have_count(0)
    asking.close_view()


def test_a_run_that_is_denied_does_not_happen_and_the_model_is_told(comfy, asking, model):
    model.play("red-image")
    asking.send(BUILD)

    expect(question(asking)).to_be_visible()
    asking.page.keyboard.press("Escape")

    asking.wait_until_the_turn_is_over()
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "skipped")
    assert "The user declined: " in str(model.requests[-1].messages[-1]["content"])
    assert comfy.node_types() == ["EmptyImage", "SaveImage"]


def test_stop_while_a_tool_waits_ends_the_turn(asking, model):
    model.play("red-image")
    asking.send(BUILD)
    expect(question(asking)).to_be_visible()
    asked = len(model.requests)

    asking.stop()

    expect(question(asking)).to_be_hidden()
    asking.wait_until_the_turn_is_over()
    assert len(model.requests) == asked
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "skipped")


def test_what_is_muted_three_at_a_time_is_asked_about(comfy, asking, model):
    for _ in range(6):
        comfy.add_node("EmptyImage")
    model.play(scenario("muted-little-by-little"))
    asking.send("tidy up")

    expect(question(asking)).to_contain_text("Mute EmptyImage (4), EmptyImage (5), EmptyImage (6)?")
    expect(question(asking)).to_contain_text("With what this turn did before: 6 nodes.")
    asking.page.keyboard.press("Escape")

    asking.wait_until_the_turn_is_over()
    assert asking.tools_by_state() == [("editWorkflow", "succeeded"), ("editWorkflow", "skipped")]


def test_a_question_says_what_happens_to_each_node_and_shows_it(comfy, asking, model):
    # What the assistant made itself goes unasked, and an earlier test had it make nodes 1 and 2 of this workflow.
    comfy.page.evaluate("() => { app.graph.last_node_id = 500; }")
    image, invert, save = (comfy.add_node(each) for each in ("EmptyImage", "ImageInvert", "SaveImage"))
    comfy.connect(image, "IMAGE", invert, "image")
    comfy.connect(invert, "IMAGE", save, "images")
    operations = [
        {"op": "replace", "nodes": [invert], "type": "ImageBlur"},
        {"op": "remove", "nodes": [image]},
        {"op": "mode", "nodes": [save], "mode": "mute"},
    ]
    edit = {"call": "editWorkflow", "arguments": {"operations": operations}}
    model.play(
        {"about": "Takes nodes away.", "steps": [{"reply": [edit]}, {"reply": [{"say": "Left as it is."}]}]}
    )
    asking.send("tidy up")
    title = (
        f"Replace ImageInvert ({invert}) by ImageBlur, delete EmptyImage ({image}), mute SaveImage ({save})?"
    )
    expect(question(asking)).to_contain_text(title)
    asking.look_at("question-nodes")

    comfy.page.evaluate("() => { app.canvas.ds.offset = [-9000, -9000]; app.canvas.setDirty(true, true); }")
    question(asking).get_by_role("button", name=f"EmptyImage ({image})").click()
    comfy.page.wait_for_function("() => app.canvas.ds.offset[0] > -5000")
    asking.look_at("question-node-shown")
    comfy.page.evaluate("(id) => app.graph.remove(app.graph.getNodeById(id))", save)
    question(asking).get_by_role("button", name=f"SaveImage ({save})").click()
    expect(question(asking).get_by_role("status")).to_have_text(
        f"SaveImage ({save}) is not on the canvas now."
    )

    question(asking).get_by_role("button", name="Deny").click()
    asking.wait_until_the_turn_is_over()
    assert comfy.node_types() == ["EmptyImage", "ImageInvert"]


def test_somebody_who_is_typing_does_not_answer_by_accident(asking, model):
    model.play("red-image")
    asking.send(BUILD)
    asking.composer.fill("by the way")

    expect(question(asking)).to_be_visible()

    expect(asking.composer).to_be_focused()
    question(asking).get_by_role("button", name="Allow").click()
    asking.wait_until_the_turn_is_over()
    asking.composer.fill("")


def test_a_key_that_is_held_since_before_the_question_does_not_answer_it(asking, model):
    model.play("red-image")
    asking.send(BUILD)
    while not question(asking).is_visible():
        asking.page.keyboard.down("Enter")
    allow = question(asking).get_by_role("button", name="Allow")
    expect(allow).to_be_focused()
    expect(allow).to_be_enabled()
    for _ in range(5):
        asking.page.keyboard.down("Enter")
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "waiting")

    asking.page.keyboard.up("Enter")
    asking.page.keyboard.press("Enter")
    asking.wait_until_the_turn_is_over()
    assert asking.tools_by_state()[-1] == ("executeWorkflow", "succeeded")


SAVES_TO = """(prefix) => {
    const [image, save] = ["EmptyImage", "SaveImage"].map((type) => LiteGraph.createNode(type));
    app.graph.add(image);
    app.graph.add(save);
    image.connect(0, save, 0);
    save.widgets.find(({ name }) => name === "filename_prefix").value = prefix;
    window.setPrefix = (value) => {
        save.widgets.find(({ name }) => name === "filename_prefix").value = value;
    };
}"""
RUNS = {
    "about": "Runs the workflow.",
    "pace": 0,
    "steps": [{"reply": [{"call": "executeWorkflow", "arguments": {}}]}, {"reply": [{"say": "So it went."}]}],
}


@pytest.mark.slow
def test_what_was_allowed_is_not_asked_about_again_in_the_chat_until_a_text_differs(comfy, panel, model):
    comfy.page.evaluate(SAVES_TO, "../outside/a")
    model.play(RUNS)

    panel.send("run it")
    expect(question(panel).get_by_role("button", name="Deny")).to_be_focused()
    comfy.screenshot(SCREENSHOTS / "approval-of-weight.png")
    question(panel).get_by_role("button", name="Allow").click()
    panel.wait_until_the_turn_is_over()
    panel.ask("run it again")
    assert panel.tools_by_state()[-1][1] != "waiting"

    comfy.page.evaluate("window.setPrefix('../outside/b')")
    panel.send("and again")
    expect(question(panel)).to_contain_text('filename_prefix "../outside/b"')
    question(panel).get_by_role("button", name="Deny").click()
    panel.wait_until_the_turn_is_over()
    assert panel.tools_by_state()[-1] == ("executeWorkflow", "skipped")
    comfy.errors.clear()


def test_keys_that_come_with_a_question_of_weight_allow_nothing(comfy, panel, model):
    comfy.page.evaluate(SAVES_TO, "../outside/keys")
    model.play(RUNS)
    panel.send("run it")
    deny = question(panel).get_by_role("button", name="Deny")
    while not question(panel).is_visible():
        panel.page.keyboard.press("Enter")
    expect(deny).to_be_focused()
    assert panel.tools_by_state()[-1] == ("executeWorkflow", "waiting")

    expect(deny).to_be_enabled()
    panel.page.keyboard.press("Enter")
    panel.wait_until_the_turn_is_over()
    assert panel.tools_by_state()[-1] == ("executeWorkflow", "skipped")
    panel.composer.fill("")
    comfy.errors.clear()

"""What a turn has changed is undone also after it was stopped, failed, or the page was loaded anew."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.interception import Held, held
from tests.host.panel import Panel
from tests.host.scenarios import scenario

ADDS_AN_IMAGE = {"reply": [{"call": "addNode", "arguments": {"type": "EmptyImage"}}]}

OPEN_TABS = "() => app.extensionManager.workflow.openWorkflows.map(({ path }) => path)"


def undo_button(panel: Panel) -> Locator:
    return panel.answers.last.get_by_role("button", name="Undo this turn")


def reopened(comfy: ComfyPage) -> Panel:
    comfy.reload()
    panel = Panel(comfy.page)
    panel.open()
    return panel


@pytest.mark.slow
@pytest.mark.nodes_2
def test_a_turn_that_was_stopped_is_undone_and_redone_after_a_reload(comfy, panel, model):
    slow = comfy.add_node("TestSlowRun")
    runs = {"call": "executeWorkflow", "arguments": {}}
    model.play(
        {"about": "Stopped between.", "steps": [{"reply": [*ADDS_AN_IMAGE["reply"], runs]}, ADDS_AN_IMAGE]}
    )
    panel.send("add an image, run it, and add another")
    comfy.wait_until_running(1)
    panel.stop()
    panel.wait_until_the_turn_is_over()
    comfy.wait_until_running(0)

    panel = reopened(comfy)
    assert comfy.node_types() == ["EmptyImage", "TestSlowRun"]
    undo_button(panel).click()
    expect(panel.answers.last.get_by_role("status")).to_have_text("Undone.")
    assert list(comfy.prompt()) == [slow]

    panel = reopened(comfy)
    panel.page.get_by_role("button", name="Redo").click()
    expect(undo_button(panel)).to_be_visible()
    assert comfy.node_types() == ["EmptyImage", "TestSlowRun"]
    assert comfy.errors == []


@pytest.mark.nodes_2
def test_what_is_undone_and_redone_on_the_canvas_is_so_in_the_panel_too(comfy, panel, model):
    model.play({"about": "Adds a node.", "steps": [ADDS_AN_IMAGE, {"reply": [{"say": "There it is."}]}]})
    panel.ask("add an image")

    def press(keys: str, *, leaves: int) -> None:
        comfy.page.locator("#graph-canvas").focus()
        comfy.page.keyboard.press(keys)
        comfy.page.wait_for_function("(count) => app.graph.nodes.length === count", arg=leaves)

    undone = panel.answers.last.get_by_role("status")
    press("Control+z", leaves=0)
    expect(undone).to_have_text("Undone.")
    press("Control+y", leaves=1)
    expect(undone).to_have_count(0)
    undo_button(panel).click()
    expect(undone).to_have_text("Undone.")
    press("Control+z", leaves=1)
    expect(undone).to_have_count(0)
    press("Control+z", leaves=0)
    expect(undone).to_have_text("Undone.")

    panel.ask("and now?")
    assert "The user undid what you changed on" in str(model.requests[-2].body["messages"][-1]["content"])
    assert comfy.errors == []


WIDGETS = """() => Object.fromEntries(app.graph.nodes
    .filter(({ type }) => type !== "PreviewImage").map(({ type, widgets }) => [type, widgets[0].value]))"""
SET_WIDTH = (
    "(width) => { app.graph.nodes.find(({ type }) => type === 'EmptyImage').widgets[0].value = width; }"
)


@pytest.mark.nodes_2
def test_what_the_person_changes_while_a_run_waits_stays_where_its_turn_is_undone(comfy, panel, model):
    comfy.add_node("EmptyImage", width=16)
    seeded = comfy.add_node("TestSeededImage", seed=7)
    comfy.connect(seeded, "IMAGE", comfy.add_node("PreviewImage"), "images")
    sets = {"call": "setNodeWidgetValue", "arguments": {"node": seeded, "widget": "seed", "value": 5}}
    runs = {"call": "executeWorkflow", "arguments": {}}
    model.play({"about": "Runs.", "steps": [{"reply": [sets, runs]}, {"reply": [{"say": "Done."}]}]})
    waiting: list[Held] = []
    with held(comfy.page, "*/api/prompt", waiting.append):
        panel.send("take seed 5 and run it")
        comfy.wait_until(lambda: bool(waiting))
        comfy.page.mouse.move(900, 150)
        comfy.page.mouse.down()
        comfy.page.evaluate(SET_WIDTH, 48)
        comfy.page.mouse.up()
        waiting[0].go_on()
        panel.wait_until_the_turn_is_over()
    done = comfy.page.evaluate(WIDGETS)
    assert done["EmptyImage"] == 48
    assert done["TestSeededImage"] not in (5, 7)

    undo_button(panel).click()
    expect(panel.answers.last.get_by_role("status")).to_have_text("Undone.")
    assert comfy.page.evaluate(WIDGETS) == {"EmptyImage": 48, "TestSeededImage": 7}

    panel.page.get_by_role("button", name="Redo").click()
    expect(undo_button(panel)).to_be_visible()
    assert comfy.page.evaluate(WIDGETS) == done


def test_a_turn_that_failed_is_undone_from_its_failure(comfy, panel, model):
    refused = {"status": 401, "body": {"error": {"message": "No."}}}
    model.play({"about": "Fails in between.", "steps": [ADDS_AN_IMAGE, refused]})
    panel.send("add an image")
    panel.wait_until_the_turn_is_over()
    assert comfy.node_types() == ["EmptyImage"]

    undo_button(panel).click()

    comfy.page.wait_for_function("() => app.graph.nodes.length === 0")


def test_the_line_of_an_earlier_answer_covers_the_long_message_that_it_lies_over(panel, model):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    panel.ask("and " * 200)
    panel.answers.first.hover()
    line = panel.answers.first.locator(".cass-footer")
    expect(line).to_have_css("opacity", "1")
    expect(line).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    panel.look_at("line-of-an-earlier-answer")


@pytest.mark.slow
def test_a_turn_of_which_the_page_knows_nothing_says_why_it_cannot_be_undone(comfy, panel, model):
    model.play({"about": "Adds a node.", "steps": [ADDS_AN_IMAGE, {"reply": [{"say": "There it is."}]}]})
    panel.ask("add an image")
    # What a page leaves behind when it goes is kept for the same tab of the browser only.
    comfy.page.evaluate(
        "() => addEventListener('pagehide', () => sessionStorage.removeItem('comfyui-assistant.turns'))"
    )
    panel = reopened(comfy)

    undo = undo_button(panel)
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)

    expect(panel.answers.last.get_by_role("alert")).to_contain_text("undo this any more")
    assert comfy.node_types() == ["EmptyImage"]


def test_undoing_what_opened_a_workflow_names_the_one_that_is_open_then(comfy, panel, model):
    tabs = comfy.page.evaluate(OPEN_TABS)
    opens = {"call": "applyWorkflow", "arguments": {"workflow": "1 EmptyImage", "mode": "newTab"}}
    model.play({"about": "Opens.", "steps": [{"reply": [opens]}, {"reply": [{"say": "There."}]}]})
    panel.ask("open an image")
    undoes = {"call": "undoTurn", "arguments": {}}
    model.play({"about": "Undoes.", "steps": [{"reply": [undoes]}, {"reply": [{"say": "Gone."}]}]})
    panel.ask("undo that")

    assert "Now open:" in panel.tool_cards()[-1].text
    expect(panel.tool_card("undoTurn").locator(".cass-changes")).to_have_count(0)
    assert comfy.page.evaluate(OPEN_TABS) == tabs


@pytest.mark.slow
@pytest.mark.nodes_2
def test_every_kind_of_change_is_taken_back_after_a_reload_and_made_again(comfy, bridge, bridge_script):
    made = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "image"},
        {"op": "add", "type": "ImageInvert", "as": "invert", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": "invert.IMAGE"}},
    )
    ids = made["data"]["nodes"]
    before = bridge.call("getWorkflowInfo", {})["data"]["text"]
    done = bridge.edit(
        {"op": "set", "nodes": [ids["image"]], "widgets": {"width": 128}},
        {"op": "insert", "type": "ImageBlur", "to": f"{ids['look']}.images"},
        {"op": "title", "nodes": [ids["look"]], "title": "Look"},
        {"op": "group", "nodes": [ids["look"]], "title": "End"},
        {"op": "makeSubgraph", "nodes": [ids["invert"]], "title": "Inner"},
        turn="t",
    )
    assert done["ok"], done
    after = bridge.call("getWorkflowInfo", {})["data"]["text"]

    for state, text in (("undone", before), ("done", after)):
        kept = bridge.kept_turns()
        comfy.reload()
        bridge = Bridge(comfy.page, bridge_script)
        bridge.restore_turns(kept)

        assert bridge.toggle_turn("t") == []
        assert bridge.turn_state("t") == state
        assert bridge.call("getWorkflowInfo", {})["data"]["text"] == text


def test_what_the_person_changed_after_a_reload_stays_and_is_named(comfy, bridge, bridge_script):
    image = bridge.edit({"op": "add", "type": "EmptyImage", "as": "it"})["data"]["nodes"]["it"]
    bridge.edit({"op": "set", "nodes": [image], "widgets": {"width": 128}}, turn="t")
    kept = bridge.kept_turns()
    comfy.reload()
    bridge = Bridge(comfy.page, bridge_script)
    bridge.restore_turns(kept)
    bridge.set_by_hand(image, "width", 77)

    assert bridge.toggle_turn("t") == [f"{image} EmptyImage changed since"]
    assert comfy.prompt()[image]["inputs"]["width"] == 77


@pytest.mark.slow
def test_a_workflow_that_a_turn_opened_is_closed_after_a_reload_and_opened_again(
    comfy, bridge, bridge_script
):
    tabs = comfy.page.evaluate(OPEN_TABS)
    opened = {"workflow": "1 EmptyImage width=96", "mode": "newTab"}
    assert bridge.call("applyWorkflow", opened, turn="t")["ok"]

    for state, there in (("undone", tabs), ("done", None)):
        comfy.page.wait_for_timeout(1500)  # the page keeps what is open a moment later
        kept = bridge.kept_turns()
        comfy.reload()
        bridge = Bridge(comfy.page, bridge_script)
        bridge.restore_turns(kept)
        if state == "undone" and len(comfy.page.evaluate(OPEN_TABS)) == 1:  # 1.32 forgets the empty one
            [clause] = bridge.toggle_turn("t")
            assert "is the only one that is open" in clause
            return

        assert bridge.toggle_turn("t") == []
        assert bridge.turn_state("t") == state
        if there is not None:
            assert comfy.page.evaluate(OPEN_TABS) == there
    [node] = comfy.prompt().values()
    assert node["inputs"]["width"] == 96


@pytest.mark.slow
@pytest.mark.nodes_2
def test_a_turn_is_undone_also_where_the_persons_own_run_has_rolled_a_seed_since(
    comfy, bridge, bridge_script
):
    def seed() -> int:
        return comfy.page.evaluate(WIDGETS)["TestSeededImage"]

    def run_by_hand() -> int:
        before = seed()
        comfy.run()
        comfy.wait_until(lambda: seed() != before)
        return seed()

    made = bridge.edit(
        {"op": "add", "type": "TestSeededImage", "as": "image"},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "image.IMAGE"}},
        turn="adds",
    )
    assert made["ok"], made
    node = made["data"]["nodes"]["image"]
    run_by_hand()
    rolled = run_by_hand()
    assert (bridge.toggle_turn("adds"), comfy.node_types()) == ([], [])
    assert (bridge.toggle_turn("adds"), seed()) == ([], rolled)

    made = bridge.edit({"op": "set", "nodes": [node], "widgets": {"seed": 5}}, turn="sets")
    assert made["ok"], made
    run_by_hand()
    kept = bridge.kept_turns()
    comfy.reload()
    bridge = Bridge(comfy.page, bridge_script)
    bridge.restore_turns(kept)
    assert (bridge.toggle_turn("sets"), seed()) == ([], rolled)

    bridge.set_by_hand(node, "seed", 42)
    assert bridge.toggle_turn("adds") == [f"{node} TestSeededImage changed since"]

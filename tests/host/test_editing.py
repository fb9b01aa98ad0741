"""Editing the graph of the real ComfyUI through the bridge and the browser tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.host.comfy import ComfyPage
from tests.host.scenarios import scenario
from tests.host.template_damage import load

UNDO = "Control+z"


def press(comfy: ComfyPage, key: str) -> None:
    """As a person does it over the canvas."""
    comfy.page.locator("#graph-canvas").focus()
    comfy.page.keyboard.press(key)


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_the_live_bridge_behaves_as_the_fake_does(bridge):
    assert bridge.failing_behaviours() == []


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_ctrl_z_takes_back_one_turn_and_no_more(comfy, bridge, chain):
    kept = bridge.saved()
    bridge.edit({"op": "replace", "nodes": [chain["invert"]], "type": "ImageBlur"}, turn="t")
    bridge.call("addNode", {"type": "PreviewImage"}, turn="t")
    bridge.edit({"op": "makeSubgraph", "nodes": [chain["invert"]]}, turn="t")
    assert bridge.turn_state("t") == "done"

    press(comfy, UNDO)

    comfy.page.wait_for_function("() => app.graph.nodes.length === 3")
    assert bridge.content(bridge.saved()) == bridge.content(kept)


@pytest.mark.nodes_2
def test_a_node_of_a_type_that_is_not_installed_is_bypassed_and_saved_so(comfy, bridge):
    node = {"id": 7, "type": "NobodyHasThis", "pos": [0, 0], "size": [200, 80], "flags": {}, "order": 0}
    load(
        bridge, {"nodes": [{**node, "mode": 0, "properties": {}}], "links": [], "groups": [], "version": 0.4}
    )
    before = bridge.saved()

    result = bridge.edit(
        {"op": "bypass", "nodes": ["7"]}, {"op": "title", "nodes": ["7"], "title": "later"}, turn="t"
    )

    assert "bypassed" in result["summary"]
    (saved,) = json.loads(bridge.saved())["nodes"]
    assert (saved["mode"], saved["title"]) == (4, "later")

    assert bridge.toggle_turn("t") == []
    assert bridge.content(bridge.saved()) == bridge.content(before)


@pytest.mark.nodes_2
def test_undoing_a_turn_leaves_what_the_person_did_since(comfy, bridge, chain):
    bridge.edit({"op": "set", "nodes": [chain["image"]], "widgets": {"width": 128}}, turn="t")
    bridge.set_by_hand(chain["image"], "height", 77)

    assert bridge.toggle_turn("t") == []
    inputs = comfy.prompt()[chain["image"]]["inputs"]
    assert (inputs["width"], inputs["height"]) == (64, 77)

    assert bridge.toggle_turn("t") == []
    inputs = comfy.prompt()[chain["image"]]["inputs"]
    assert (inputs["width"], inputs["height"]) == (128, 77)


def test_undoing_a_turn_says_what_stops_it_where_the_person_changed_the_same(comfy, bridge, chain):
    bridge.edit({"op": "set", "nodes": [chain["image"]], "widgets": {"width": 128}}, turn="t")
    bridge.set_by_hand(chain["image"], "width", 77)
    before = bridge.saved()

    assert bridge.toggle_turn("t") == [f"{chain['image']} EmptyImage changed since"]

    assert bridge.saved() == before
    assert bridge.turn_state("t") == "done"


def test_a_new_tab_takes_the_place_of_none_of_the_same_name(comfy, bridge):
    for width in (32, 48):
        applied = bridge.call("applyWorkflow", {"workflow": f"1 EmptyImage width={width}", "mode": "newTab"})
        assert applied["ok"], applied

    widths = comfy.page.evaluate(
        """() => app.extensionManager.workflow.openWorkflows.flatMap(({ changeTracker }) =>
            changeTracker?.activeState?.nodes.map((node) => node.widgets_values?.[0]) ?? [])"""
    )
    assert {32, 48} <= set(widths)


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_turn_over_two_workflows_is_undone_and_redone(comfy, bridge, chain):
    first, second = bridge.workflow_key(), "8 EmptyImage width=96"
    bridge.edit({"op": "set", "nodes": [chain["image"]], "widgets": {"width": 128}}, turn="t")
    bridge.call("applyWorkflow", {"workflow": second, "mode": "newTab"}, turn="t")
    bridge.edit({"op": "set", "nodes": ["8"], "widgets": {"width": 32}}, turn="t")
    assert len(comfy.node_types()) == 1

    assert bridge.toggle_turn("t") == []
    assert bridge.workflow_key() == first
    assert comfy.prompt()[chain["image"]]["inputs"]["width"] == 64

    assert bridge.toggle_turn("t") == []
    widths = comfy.page.evaluate(
        """() => app.extensionManager.workflow.openWorkflows.flatMap(({ changeTracker }) =>
            changeTracker?.activeState?.nodes.filter(({ type }) => type === "EmptyImage")
                .map((node) => node.widgets_values[0]) ?? [])"""
    )
    assert {32, 128} <= set(widths)


def test_a_run_that_rolls_its_seed_is_undone_with_its_turn(comfy, bridge):
    made = bridge.edit(
        {"op": "add", "type": "TestSeededImage", "as": "image", "widgets": {"seed": 5}},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": "image.IMAGE"}},
    )
    image = made["data"]["nodes"]["image"]
    bridge.edit({"op": "set", "nodes": [image], "widgets": {"seed": 6}}, turn="t")

    ran = bridge.call("executeWorkflow", {}, turn="t")

    now = comfy.prompt()[image]["inputs"]["seed"]
    assert now != 6
    assert ran["data"]["used"] == [f"{image}.seed=6, now {now}"]
    assert f"{image}.seed=6, now {now}" in ran["summary"]
    assert bridge.toggle_turn("t") == []
    assert comfy.prompt()[image]["inputs"]["seed"] == 5


def test_an_edit_of_what_the_person_has_changed_since_is_refused_with_the_change(comfy, bridge, chain):
    bridge.call("getWorkflowInfo", {}, turn="t")
    bridge.set_by_hand(chain["image"], "width", 77)

    refused = bridge.call(
        "setNodeWidgetValue", {"node": chain["image"], "widget": "width", "value": 128}, turn="t"
    )

    assert not refused["ok"]
    assert "77" in refused["error"]
    assert comfy.prompt()[chain["image"]]["inputs"]["width"] == 77


def test_an_edit_after_a_tab_switch_touches_neither_workflow(comfy, bridge, chain):
    key = bridge.workflow_key()
    comfy.page.evaluate("() => app.extensionManager.command.execute('Comfy.NewBlankWorkflow')")
    comfy.page.wait_for_function(
        "(key) => app.extensionManager.workflow.activeWorkflow.path !== key && app.graph.nodes.length === 0",
        arg=key,
    )

    result = bridge.call("addNode", {"type": "EmptyImage"}, turn="t", workflow=key)

    assert not result["ok"]
    assert "switched to another workflow" in result["error"]
    assert comfy.node_types() == []


def test_a_drag_goes_on_while_a_batch_is_carried_out(comfy, bridge, chain):
    comfy.page.evaluate(
        "() => { app.canvas.ds.reset(); app.canvas.ds.offset = [200, 200]; app.canvas.draw(true, true); }"
    )
    x, y = bridge.title_on_screen(chain["image"])
    mouse = comfy.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 60, steps=4)
    done = bridge.edit(
        {"op": "add", "type": "ImageScaleBy", "inputs": {"image": f"{chain['invert']}.IMAGE"}}, turn="t"
    )
    mouse.move(x + 60, y + 120, steps=4)
    mouse.up()

    assert done["ok"]
    assert bridge.position(chain["image"])[1] >= 100
    assert "ImageScaleBy" in comfy.node_types()


@pytest.mark.main_flow
def test_what_a_turn_has_changed_is_outlined_until_a_click_away(comfy, bridge, chain):
    comfy.page.evaluate("() => { app.canvas.ds.reset(); app.canvas.ds.offset = [300, 300]; }")
    bridge.edit({"op": "set", "nodes": [chain["image"]], "widgets": {"width": 128}}, turn="t")

    assert is_amber(bridge.color_left_of(chain["image"]))

    comfy.page.mouse.click(700, 170)
    assert max(bridge.color_left_of(chain["image"])) < 100


def test_nodes_of_a_cleared_workflow_leave_no_outline_to_those_that_get_their_ids(comfy, bridge):
    comfy.page.evaluate("() => { app.canvas.ds.reset(); app.canvas.ds.offset = [300, 300]; }")
    node = comfy.add_node("EmptyImage")
    bridge.edit({"op": "set", "nodes": [node], "widgets": {"width": 128}}, turn="t")
    assert is_amber(bridge.color_left_of(node))

    comfy.page.once("dialog", lambda dialog: dialog.accept())
    comfy.page.evaluate("() => app.extensionManager.command.execute('Comfy.ClearWorkflow')")

    assert comfy.add_node("EmptyImage") == node
    assert not is_amber(bridge.color_left_of(node))


def test_what_an_applied_workflow_changes_is_outlined_in_its_tab_alone(comfy, bridge, chain):
    text = bridge.call("getWorkflowInfo", {})["data"]["text"].replace("width=64", "width=128")

    applied = bridge.call("applyWorkflow", {"workflow": text}, turn="t")

    assert applied["data"]["changes"]["changed"] == {chain["image"]: "EmptyImage width=64→128"}
    comfy.page.evaluate("() => { app.canvas.ds.reset(); app.canvas.ds.offset = [300, 300]; }")
    assert is_amber(bridge.color_left_of(chain["image"]))
    bridge.call("applyWorkflow", {"workflow": text, "mode": "newTab"})
    comfy.page.evaluate("() => { app.canvas.ds.reset(); app.canvas.ds.offset = [300, 300]; }")
    assert not is_amber(bridge.color_left_of(chain["image"]))


def is_amber(color: list[int]) -> bool:
    red, green, blue = color
    return red > 150 and 100 < green < red and blue < 100


def test_batches_of_a_model_are_carried_out_and_listed_in_their_cards(comfy, panel, model):
    model.play(scenario("batch-edit"))

    assert panel.ask("an inverted red image") == "Done."

    assert comfy.node_types() == ["EmptyImage", "ImageInvert", "SaveImage"]
    changes = panel.tool_card("editWorkflow").last.get_by_role("list", name="Changed nodes")
    assert "ImageInvert" in changes.inner_text()
    assert "width=64→128" in changes.inner_text()
    press(comfy, UNDO)
    comfy.page.wait_for_function("() => app.graph.nodes.length === 0")


def batch(chain: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"op": "set", "nodes": [chain["image"]], "widgets": {"width": 128}},
        {"op": "add", "type": "ImageScaleBy", "as": "bigger", "inputs": {"image": f"{chain['image']}.IMAGE"}},
        {"op": "insert", "type": "ImageBlur", "to": f"{chain['save']}.images"},
        {"op": "replace", "nodes": [chain["invert"]], "type": "ImageSharpen"},
        {"op": "group", "nodes": [chain["image"], "bigger"], "title": "source"},
        {"op": "connect", "from": "bigger.IMAGE", "to": f"{chain['save']}.images"},
        {"op": "makeSubgraph", "nodes": [chain["image"], "bigger"]},
    ]


def test_a_batch_that_does_not_fit_at_any_of_its_operations_leaves_the_graph_byte_equal(bridge, chain):
    before = bridge.saved()
    operations = batch(chain)
    for index in range(len(operations)):
        broken = [*operations[:index], {"op": "remove", "nodes": ["no such node"]}, *operations[index:]]
        result = bridge.edit(*broken)
        assert not result["ok"]
        assert f"operations[{index}]" in result["error"]
        assert bridge.saved() == before


def test_a_batch_that_comfyui_stops_at_any_step_leaves_the_graph_byte_equal(bridge, chain):
    before, steps = bridge.saved(), 0
    while not bridge.edit_stopped_at(steps, batch(chain))["ok"]:
        assert bridge.saved() == before, f"stopped at step {steps}"
        steps += 1
    assert steps >= 12, "the batch has more steps than that"


def test_a_node_that_is_not_installed_hands_its_values_on_to_what_replaces_it(comfy, bridge):
    node = comfy.add_node("EmptyImage", width=64, height=48)
    saved = json.loads(bridge.saved())
    saved["nodes"][0]["type"] = "EmptyImageOld"
    load(bridge, saved)
    bridge.call("getWorkflowInfo", {})

    result = bridge.edit({"op": "replace", "nodes": [node], "type": "EmptyImage"})

    assert result["ok"], result
    inputs = comfy.prompt()[node]["inputs"]
    assert (inputs["width"], inputs["height"]) == (64, 48)

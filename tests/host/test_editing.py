"""Editing the graph of the real ComfyUI through the bridge and the browser tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.scenarios import scenario
from tests.host.template_damage import load

UNDO = "Control+z"


@pytest.fixture
def chain(bridge: Bridge) -> dict[str, str]:
    """An image, inverted and saved: the ids of the three nodes."""
    made = bridge.edit(
        {
            "op": "add",
            "type": "EmptyImage",
            "as": "image",
            "widgets": {"width": 64},
            "position": {"x": 0, "y": 0},
        },
        {"op": "add", "type": "ImageInvert", "as": "invert", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "SaveImage", "as": "save", "inputs": {"images": "invert.IMAGE"}},
        turn="earlier",
    )
    assert made["ok"], made
    return made["data"]["nodes"]


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


@pytest.mark.parametrize("instance", ["4", "50"])
def test_a_change_inside_a_subgraph_is_overwritten_by_no_path_that_leads_to_it(comfy, bridge, instance):
    inner = ['subgraph S1 "Inner" in() out(IMAGE<1)', "1 EmptyImage width=64", "end"]
    lines = ["4 S1", "50 S1", "7 SaveImage images<4", "8 SaveImage images<50", *inner]
    applied = bridge.call("applyWorkflow", {"workflow": "\n".join(lines)}, turn="t")
    assert applied["ok"], applied
    image = comfy.page.evaluate(
        """() => {
            const image = app.graph.getNodeById(50).subgraph.nodes[0];
            image.widgets.find(({ name }) => name === "width").value = 77;
            return String(image.id);
        }"""
    )

    refused = bridge.edit(
        {"op": "set", "nodes": [f"{instance}:{image}"], "widgets": {"width": 128}}, turn="t"
    )

    assert f"~ 4:{image} EmptyImage width=64→77 (also 50:{image})" in refused["error"]


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


def test_a_subgraph_is_edited_by_the_names_that_the_canvas_shows(comfy, bridge):
    """Templates of today show `value_1` as "duration"."""
    inner = [
        'subgraph S1 "Clip" in(image"background" value_1"Video length") out(IMAGE"finished"<7)',
        "7 EmptyImage width<input.value_1",
        "8 ImageInvert image<input.image",
        "end",
    ]
    lines = ["4 S1 value_1=64", "5 SaveImage images<4", *inner]
    assert bridge.call("applyWorkflow", {"workflow": "\n".join(lines)})["ok"]
    shown = comfy.page.evaluate("app.graph.nodes.flatMap((node) => node.inputs.map(({ label }) => label))")
    assert {"background", "Video length"} <= set(shown)

    read = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert 'in(image"background" value_1"Video length") out(IMAGE"finished"<7)' in read
    node = next(line.split()[0] for line in read.splitlines() if " S1" in line)
    told = bridge.call("getWorkflowInfo", {"nodeIds": [node]})["data"]["text"]
    assert 'value_1"Video length"=64' in told

    assert bridge.edit({"op": "set", "nodes": [node], "widgets": {"video_length": 96}})["ok"]
    assert bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "sky"},
        {"op": "connect", "from": "sky", "to": f"{node}.background"},
    )["ok"]
    changed = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert f"{node} S1 image<" in changed
    assert "value_1=96" in changed


@pytest.fixture
def promoted(comfy, bridge, chain) -> tuple[str, str]:
    """A subgraph that shows the factor of the scaling node inside, and the run id of that node."""
    made = bridge.edit(
        {"op": "replace", "nodes": [chain["invert"]], "type": "ImageScaleBy", "widgets": {"scale_by": 0.5}},
        {"op": "makeSubgraph", "nodes": [chain["invert"]], "title": "Bigger"},
    )
    outer = made["data"]["subgraphs"][0]
    inner = f"{outer}:{chain['invert']}"
    done = bridge.edit({"op": "promote", "to": f"{inner}.scale_by", "title": "factor"})
    assert done["ok"], done
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 0.5
    return outer, inner


@pytest.mark.parametrize("mode", ["muted", "bypassed"])
def test_a_subgraph_that_does_not_run_runs_nothing_inside(comfy, bridge, promoted, mode):
    outer, inner = promoted
    done = bridge.edit({"op": "mode", "nodes": [outer], "mode": mode})
    assert done["ok"], done
    assert inner not in comfy.prompt()
    assert bridge.edit({"op": "mode", "nodes": [outer], "mode": "active"})["ok"]
    assert inner in comfy.prompt()


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_promoted_widget_is_set_from_outside_and_runs(comfy, bridge, promoted):
    outer, inner = promoted

    bridge.call("getWorkflowInfo", {})
    done = bridge.call("setNodeWidgetValue", {"node": outer, "widget": "factor", "value": "2"})

    assert done["ok"], done
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 2


def test_a_promoted_widget_is_varied_and_its_value_saved_with_each_file(comfy, bridge, promoted):
    outer, _ = promoted

    ran = bridge.call(
        "executeWorkflow", {"vary": [{"node": outer, "widget": "factor", "values": ["0.25", "2"]}]}
    )

    assert ran["ok"], ran
    assert [run["values"] for run in ran["data"]["runs"]] == [
        {f"{outer}.factor": 0.25},
        {f"{outer}.factor": 2},
    ]
    for run, factor, width in zip(ran["data"]["runs"], (0.25, 2), (16, 128), strict=True):
        name = run["outputs"][0]["files"][0]["filename"]
        url = f"/api/view?type=output&filename={name.removeprefix('output/')}"
        size = comfy.page.evaluate(
            "async (url) => (await createImageBitmap(await (await fetch(url)).blob())).width", url
        )
        assert size == width
        bridge.call("applyWorkflow", {"file": name})
        (inner,) = [node for node in comfy.prompt().values() if node["class_type"] == "ImageScaleBy"]
        assert inner["inputs"]["scale_by"] == factor


def test_a_demoted_widget_leaves_its_value_inside_and_one_undo_brings_it_back(comfy, bridge, promoted):
    outer, inner = promoted
    bridge.edit({"op": "set", "nodes": [outer], "widgets": {"factor": 2}})
    before = bridge.call("getWorkflowInfo", {})["data"]["text"]

    done = bridge.edit({"op": "demote", "to": f"{outer}.factor"}, turn="t")

    assert done["ok"], done
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 2
    assert "factor" not in bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert bridge.toggle_turn("t") == []
    assert bridge.call("getWorkflowInfo", {})["data"]["text"] == before
    assert comfy.prompt()[inner]["inputs"]["scale_by"] == 2


def test_a_subgraph_gets_an_output_that_is_connected_outside(comfy, bridge, promoted):
    outer, _ = promoted

    done = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "second", "inside": outer, "widgets": {"width": 32}},
        {"op": "promote", "from": "second.IMAGE", "title": "also"},
        {"op": "promote", "to": "second.height"},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": f"{outer}.also"}},
        {"op": "set", "nodes": [outer], "widgets": {"height": 48}},
    )

    assert done["ok"], done
    prompt = comfy.prompt()
    (made,) = [node for node in prompt.values() if node["inputs"].get("width") == 32]
    assert made["inputs"]["height"] == 48
    assert bridge.call("executeWorkflow", {})["ok"]


def test_a_widget_that_a_person_promoted_by_name_is_varied_and_demoted(comfy, bridge, chain, frontend):
    if frontend != "1.32.9":
        pytest.skip("newer frontends promote by inputs alone")
    outer = bridge.edit({"op": "makeSubgraph", "nodes": [chain["image"]]})["data"]["subgraphs"][0]
    comfy.page.evaluate(
        """([outer, inner]) => {
            const node = app.graph.nodes.find((each) => String(each.id) === outer);
            node.properties.proxyWidgets = [[inner, "width"], [inner, "height"]];
        }""",
        [outer, chain["image"]],
    )

    ran = bridge.call("executeWorkflow", {"vary": [{"node": outer, "widget": "width", "values": [16, 32]}]})
    assert [run["values"] for run in ran["data"]["runs"]] == [
        {f"{outer}.{chain['image']}.width": 16},
        {f"{outer}.{chain['image']}.width": 32},
    ]
    bridge.call("getWorkflowInfo", {})
    done = bridge.edit({"op": "demote", "to": f"{outer}.width"})

    assert done["ok"], done
    text = bridge.call("getWorkflowInfo", {})["data"]["text"]
    assert f"^{chain['image']}.height" in text
    assert f"^{chain['image']}.width" not in text


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

"""Workflows and values of extreme size, and a page that changes between two calls: all is done, or refused clearly
with the graph as it was."""

from __future__ import annotations

from typing import Any

import pytest

from dev.comfyui_process import ComfyUIProcess
from tests.host.bridge import Bridge
from tests.host.comfy import GONE_PICTURE, ComfyPage
from tests.host.test_input_files import PIXEL

LOAD = """async (workflow) => {
    const quiet = { showMissingNodesDialog: false, showMissingModelsDialog: false };
    await app.loadGraphData(workflow, true, true, null, quiet);
}"""
# As the page does it: another tab comes to the front first.
CLOSE = """async (next) => {
    const { workflow } = app.extensionManager;
    const closed = workflow.activeWorkflow;
    await window.bridgeInPage.comfy.openTab(next);
    await workflow.closeWorkflow(closed);
}"""


def chain_of(count: int) -> dict[str, Any]:
    """Saved as the page saves it: an image that is inverted time and again."""
    nodes = [
        {
            "id": number,
            "type": "EmptyImage" if number == 1 else "ImageInvert",
            "pos": [number % 100 * 260, number // 100 * 200],
            "size": [210, 130],
            "flags": {},
            "order": number - 1,
            "mode": 0,
            "inputs": [{"name": "image", "type": "IMAGE", "link": number - 1}] if number > 1 else [],
            "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [number] if number < count else []}],
            "properties": {},
            "widgets_values": [512, 512, 1, 0] if number == 1 else [],
        }
        for number in range(1, count + 1)
    ]
    links = [[number, number, 0, number + 1, 0, "IMAGE"] for number in range(1, count)]
    return {
        "last_node_id": count,
        "last_link_id": count - 1,
        "nodes": nodes,
        "links": links,
        "groups": [],
        "config": {},
        "extra": {},
        "version": 0.4,
    }


@pytest.mark.slow
@pytest.mark.parametrize("count", [1_000, pytest.param(5_000, marks=pytest.mark.older_frontend)])
def test_a_large_workflow_is_read_edited_and_undone_or_left_as_it_was(
    comfy: ComfyPage, bridge: Bridge, count: int
):
    comfy.page.evaluate(LOAD, chain_of(count))
    comfy.page.evaluate("() => { window.firstNode = app.graph.getNodeById(1); }")
    assert bridge.call("getWorkflowInfo", {})["data"]["nodes"] == count
    before = bridge.saved()

    widen = {"op": "set", "nodes": ["1"], "widgets": {"width": 64}}
    refused = bridge.edit(widen, {"op": "remove", "nodes": [str(count + 1)]}, turn="t")
    assert not refused["ok"]
    assert bridge.saved() == before

    assert bridge.edit(widen, turn="t")["ok"]
    assert bridge.toggle_turn("t") == []
    assert bridge.content(bridge.saved()) == bridge.content(before)
    # Loading it again would take the newer page seconds.
    assert comfy.page.evaluate("() => window.firstNode === app.graph.getNodeById(1)")


def test_a_value_of_a_megabyte_is_set_whole_told_in_short_and_undone(comfy: ComfyPage, bridge: Bridge):
    node = bridge.edit({"op": "add", "type": "CLIPTextEncode", "as": "text"})["data"]["nodes"]["text"]
    before = bridge.saved()
    text = "a cat " * 180_000

    done = bridge.edit({"op": "set", "nodes": [node], "widgets": {"text": text}}, turn="t")

    assert done["ok"], done
    assert comfy.prompt()[node]["inputs"]["text"] == text
    results = [done, *(bridge.call("getWorkflowInfo", asked) for asked in ({}, {"nodeIds": [node]}))]
    assert max(len(str(result)) for result in results) < 60_000
    assert bridge.toggle_turn("t") == []
    assert bridge.content(bridge.saved()) == bridge.content(before)


def test_a_subgraph_that_four_nodes_show_is_changed_in_all_and_undone(comfy: ComfyPage, bridge: Bridge):
    instances = [line for at in range(4, 8) for line in (f"{at} S1", f"{at + 10} SaveImage images<{at}")]
    inner = ['subgraph S1 "Inner" in() out(IMAGE<1)', "1 EmptyImage width=64", "end"]
    assert bridge.call("applyWorkflow", {"workflow": "\n".join([*instances, *inner])})["ok"]
    image = next(node.split(":")[1] for node in comfy.prompt() if node.startswith("6:"))

    done = bridge.edit({"op": "set", "nodes": [f"6:{image}"], "widgets": {"width": 8}}, turn="t")

    assert done["ok"], done
    assert widths(comfy) == [8, 8, 8, 8]
    assert bridge.toggle_turn("t") == []
    assert widths(comfy) == [64, 64, 64, 64]


def widths(comfy: ComfyPage) -> list[int]:
    return [node["inputs"]["width"] for node in comfy.prompt().values() if node["class_type"] == "EmptyImage"]


BY_HAND = {
    "removed": "app.graph.remove(app.graph.getNodeById(ids.invert))",
    "unlinked": "app.graph.getNodeById(ids.invert).disconnectInput(0)",
    "renamed": "app.graph.getNodeById(ids.invert).title = 'Mine'",
    "cleared": "app.graph.clear()",
}


@pytest.mark.parametrize("change", BY_HAND)
def test_what_the_person_does_between_two_calls_is_never_overwritten(
    comfy: ComfyPage, bridge: Bridge, change
):
    made = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "image"},
        {"op": "add", "type": "ImageInvert", "as": "invert", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "SaveImage", "as": "save", "inputs": {"images": "invert.IMAGE"}},
    )
    ids = made["data"]["nodes"]
    bridge.call("getWorkflowInfo", {})
    comfy.page.evaluate(f"(ids) => {{ {BY_HAND[change]}; }}", {name: int(node) for name, node in ids.items()})
    now = bridge.saved()

    tried = [
        bridge.edit({"op": "remove", "nodes": [ids["invert"]]}),
        bridge.edit({"op": "title", "nodes": [ids["invert"]], "title": "Ours"}),
        bridge.call("connectNodes", {"from": f"{ids['image']}.IMAGE", "to": f"{ids['invert']}.image"}),
    ]

    refusals = [result for result in tried if not result["ok"]]
    assert refusals[0] is tried[0]
    assert ids["invert"] in refusals[0]["error"]
    if len(refusals) == len(tried):
        assert bridge.saved() == now


def test_a_picture_that_went_after_the_check_is_named_when_it_is_to_run(
    comfy: ComfyPage, bridge: Bridge, comfyui: ComfyUIProcess
):
    photo = comfyui.base / "input" / f"{GONE_PICTURE}before.png"
    photo.parent.mkdir(exist_ok=True)
    photo.write_bytes(PIXEL)
    node = bridge.edit(
        {"op": "add", "type": "LoadImage", "as": "load", "widgets": {"image": photo.name}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "load.IMAGE"}},
    )["data"]["nodes"]["load"]
    assert bridge.call("validateWorkflow", {})["data"]["problems"] == []
    before = bridge.saved()

    photo.unlink()
    ran = bridge.call("executeWorkflow", {})

    assert not ran["ok"]
    assert photo.name in str(ran)
    assert node in str(ran)
    # Its preview makes the node larger as soon as it has come.
    assert bridge.content(bridge.saved()) == bridge.content(before)


def test_a_tab_that_was_closed_during_the_turn_is_neither_edited_nor_undone(comfy: ComfyPage, bridge: Bridge):
    bridge.edit({"op": "add", "type": "SaveImage"}, turn="earlier")
    first = bridge.workflow_key()
    bridge.call("applyWorkflow", {"workflow": "1 EmptyImage", "mode": "newTab"})
    name = bridge.call("getWorkflowInfo", {})["data"]["workflow"]
    key = bridge.workflow_key()
    assert bridge.edit({"op": "set", "nodes": ["1"], "widgets": {"width": 8}}, turn="t", workflow=key)["ok"]

    comfy.page.evaluate(CLOSE, first)
    assert comfy.node_types() == ["SaveImage"]
    before = bridge.saved()

    for arguments in (
        {"operations": [{"op": "remove", "nodes": ["1"]}]},
        {"operations": [{"op": "add", "type": "EmptyImage"}]},
    ):
        refused = bridge.call("editWorkflow", arguments, turn="t", workflow=key)
        assert not refused["ok"]
        assert "switched to another workflow" in refused["error"]
    assert bridge.toggle_turn("t") == [f"the workflow “{name}” is closed"]
    assert bridge.saved() == before

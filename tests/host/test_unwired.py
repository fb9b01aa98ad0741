"""Links that no wire draws, and definitions in packs' own forms, beside stand-ins for such packs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage

pytestmark = pytest.mark.nodes_2

NODES = Path(__file__).parent / "nodes"
Install = Callable[..., None]


@pytest.fixture
def install(comfy: ComfyPage) -> Iterator[Install]:
    """Runs the page script of a stand-in, and takes back afterwards what it did."""
    comfy.page.evaluate("() => { window.installedPacks = []; }")

    def run(name: str, **options: Any) -> None:
        script = (NODES / f"{name}.js").read_text("utf-8").rstrip().removesuffix(";")
        comfy.page.evaluate(
            f"(options) => window.installedPacks.push(({script.split('*/', 1)[1]})(options))", options
        )

    yield run
    comfy.clear_graph()
    comfy.page.evaluate("() => { for (const remove of window.installedPacks) remove(); }")


def made(bridge: Bridge, *operations: dict[str, Any]) -> dict[str, Any]:
    result = bridge.edit(*operations)
    assert result["ok"], result
    return result


def saved(bridge: Bridge) -> dict[str, Any]:
    """What a person would miss, and what a pack may leave behind: the counter of links, and notes of its own."""
    text = bridge.saved()
    workflow = json.loads(text)
    return {**bridge.content(text), "last": workflow["last_link_id"], "extra": set(workflow["extra"])}


def listing(bridge: Bridge, **arguments: Any) -> str:
    return bridge.call("getWorkflowInfo", arguments)["data"]["text"]


IMAGE = {"op": "add", "type": "EmptyImage", "as": "image", "widgets": {"width": 64, "height": 64}}


@pytest.mark.parametrize("has_function", [True, False])
def test_what_a_pack_broadcasts_is_read_checked_and_run(comfy, bridge, install, has_function):
    install("broadcast", hasFunction=has_function)
    built = made(
        bridge,
        IMAGE,
        {"op": "add", "type": "TestBroadcast", "as": "all", "inputs": {"anything": "image.IMAGE"}},
        {"op": "add", "type": "ImageInvert", "as": "invert"},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": "invert.IMAGE"}},
    )
    nodes = built["data"]["nodes"]
    assert "needs a source" not in json.dumps(built)
    before = saved(bridge)

    text = listing(bridge)
    checked = bridge.call("validateWorkflow", {})
    assert saved(bridge) == before
    until = bridge.call("executeWorkflow", {"until": nodes["invert"]})
    varied = bridge.call(
        "executeWorkflow", {"vary": [{"node": nodes["image"], "widget": "color", "values": [0, 255]}]}
    )

    assert f"{nodes['invert']} ImageInvert image<{nodes['image']}(via {nodes['all']})" in text
    assert f"{nodes['image']} EmptyImage" in listing(bridge, view="around", nodeIds=[nodes["invert"]])
    assert checked["data"]["problems"] == []
    assert until["ok"], until
    assert varied["ok"], varied
    assert varied["summary"].startswith("2 of 2 runs"), varied
    applied = bridge.call("applyWorkflow", {"workflow": text})
    assert applied["ok"], applied
    assert "adjusted" not in applied["data"], applied
    assert listing(bridge) == text
    without = bridge.edit({"op": "remove", "nodes": [nodes["all"]]})
    lost = f"{nodes['invert']}.image needs a source: node {nodes['image']} is handed on to it no more"
    assert lost in without["data"]["stillUnconnected"], without
    again = made(
        bridge, {"op": "add", "type": "TestBroadcast", "inputs": {"anything": f"{nodes['image']}.IMAGE"}}
    )
    assert f"{nodes['invert']}.image takes {nodes['image']}.IMAGE without a wire" in again["summary"], again


def test_a_link_that_a_pack_moves_on_another_node_is_told(comfy, bridge, install):
    install("moving_links")
    made(
        bridge,
        IMAGE,
        {"op": "add", "type": "TestMoving", "as": "moving", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "moving.IMAGE"}},
    )

    moved = made(bridge, {"op": "connect", "from": "1.IMAGE", "to": "2.other"})

    assert "Not asked for, and changed by ComfyUI with it: 3 PreviewImage images<2→1" in moved["summary"], (
        moved
    )
    assert comfy.prompt()["3"]["inputs"]["images"] == ["1", 0]


def test_no_wire_goes_with_the_links_that_a_pack_drew_for_a_run(comfy, bridge, install):
    install("broadcast", hasFunction=True)
    made(
        bridge,
        IMAGE,
        {"op": "add", "type": "TestBroadcast", "inputs": {"anything": "image.IMAGE"}},
        {"op": "add", "type": "ImageInvert", "as": "invert"},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "invert.IMAGE"}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "image.IMAGE"}},
    )
    links = "() => app.graph.serialize().links.map(([, from, , to]) => [from, to]).sort()"
    before = comfy.page.evaluate(links)
    lines = listing(bridge)

    for turn, width in (("t1", "width=72"), ("t2", "width=80")):
        comfy.run()
        # The links of what is applied are counted anew: their numbers are those that the pack has noted.
        comfy.page.evaluate("() => { app.graph.extra.links_added_by_ue = [1, 2, 3]; }")
        applied = bridge.call("applyWorkflow", {"workflow": lines.replace("width=64", width)}, turn=turn)
        assert applied["ok"], applied
        assert comfy.prompt()["1"]["inputs"]["width"] == int(width[-2:])
        assert comfy.page.evaluate(links) == before
    comfy.page.evaluate("() => { app.graph.extra.links_added_by_ue = [1, 2, 3]; }")
    made(bridge, {"op": "add", "type": "EmptyImage"})
    assert bridge.toggle_turn("t2") == []
    assert comfy.page.evaluate(links) == before
    assert comfy.prompt()["1"]["inputs"]["width"] == 72


@pytest.mark.parametrize("has_function", [True, False])
def test_a_value_that_a_pack_decides_is_refused_with_its_source(comfy, bridge, install, has_function):
    install("broadcast", hasFunction=has_function, widget="width")
    made(
        bridge,
        {"op": "add", "type": "PrimitiveInt", "as": "number", "widgets": {"value": 96}},
        {"op": "add", "type": "TestBroadcast", "as": "all", "inputs": {"anything": "number.INT"}},
        IMAGE,
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "image.IMAGE"}},
    )

    refused = bridge.edit({"op": "set", "nodes": ["3"], "widgets": {"width": 32}})

    assert comfy.page.evaluate("() => app.ue_modified_prompt?.().then(() => true) ?? true")
    assert refused["error"].startswith("3.width comes from 1.INT without a wire, handed on by node 2"), (
        refused
    )
    assert "Set 1.value" in refused["hint"]
    made(bridge, {"op": "set", "nodes": ["3"], "widgets": {"height": 32}})
    made(bridge, {"op": "remove", "nodes": ["2"]}, {"op": "set", "nodes": ["3"], "widgets": {"width": 32}})


def test_a_value_that_comes_over_a_pair_is_refused_with_the_source_of_both(comfy, bridge, install):
    install("named_pair")
    made(
        bridge,
        {"op": "add", "type": "PrimitiveInt", "as": "number"},
        {"op": "add", "type": "TestTake", "as": "take", "widgets": {"Constant": "size"}},
        {"op": "add", "type": "TestPut", "as": "put", "widgets": {"Constant": "size"}},
        {"op": "add", "type": "EmptyImage", "as": "image", "inputs": {"width": "take.value"}},
        {"op": "connect", "from": "number.INT", "to": "put.value"},
    )

    refused = bridge.edit({"op": "set", "nodes": ["4"], "widgets": {"width": 32}})

    assert refused["error"].startswith("4.width comes from 2.value, and that from 3, and that from 1.INT")
    assert "Set 1.value" in refused["hint"]


def test_a_pack_that_fails_to_hand_on_its_links_is_named(comfy, bridge, install):
    install("broadcast", hasFunction=True, fails=True)
    made(
        bridge,
        IMAGE,
        {"op": "add", "type": "TestBroadcast", "inputs": {"anything": "image.IMAGE"}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "image.IMAGE"}},
    )

    checked = bridge.call("validateWorkflow", {})
    until = bridge.call("executeWorkflow", {"until": "1"})
    whole = bridge.call("executeWorkflow", {})

    [problem] = checked["data"]["problems"]
    assert "Use Everywhere failed" in problem["problem"]
    assert "A link leads nowhere" in problem["problem"]
    assert "Use Everywhere failed" in until["error"], until
    assert whole["ok"], whole
    assert bridge.call("applyWorkflow", {"workflow": listing(bridge)})["ok"]


def test_a_pair_that_belongs_together_by_a_name_is_followed(comfy, bridge, install):
    install("named_pair")
    made(
        bridge,
        IMAGE,
        {"op": "add", "type": "ImageInvert", "as": "invert"},
        {"op": "add", "type": "TestTake", "as": "take", "widgets": {"Constant": "img"}},
        {"op": "add", "type": "TestPut", "as": "put", "widgets": {"Constant": "img"}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "invert.IMAGE"}},
        {"op": "connect", "from": "image.IMAGE", "to": "put.value"},
        {"op": "connect", "from": "take.value", "to": "invert.image"},
    )

    lines = listing(bridge).splitlines()
    loop = bridge.edit({"op": "connect", "from": "2.IMAGE", "to": "4.value"})

    assert lines[:4] == [
        "1 EmptyImage width=64 height=64",
        "4 TestPut value<1 Constant=img",
        "3 TestTake <4(no wire) Constant=img",
        "2 ImageInvert image<3",
    ]
    assert "  <4(no wire)" in listing(bridge, nodeIds=["3"]).splitlines()
    assert bridge.call("validateWorkflow", {})["data"]["problems"] == []
    assert "would close a loop" in loop.get("error", ""), loop
    in_one_batch = bridge.edit(
        {"op": "add", "type": "TestTake", "as": "take", "widgets": {"Constant": "round"}},
        {"op": "add", "type": "TestPut", "as": "put", "widgets": {"Constant": "round"}},
        {"op": "connect", "from": "take.value", "to": "put.value"},
    )
    assert "would be a loop" in in_one_batch.get("error", ""), in_one_batch
    without = bridge.edit({"op": "remove", "nodes": ["4"]})
    assert "3 TestTake takes nothing now" in without["data"]["stillUnconnected"], without


def test_definitions_in_the_form_of_the_server_are_read(comfy, bridge, install):
    install("own_definitions")
    built = made(
        bridge,
        IMAGE,
        {"op": "add", "type": "TestSwitch", "as": "switch", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "MaskToImage", "as": "mask", "inputs": {"mask": "switch.MASK"}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "mask.IMAGE"}},
    )

    assert "needs a source" not in json.dumps(built)
    assert bridge.call("validateWorkflow", {})["data"]["problems"] == []
    made(bridge, {"op": "add", "type": "TestUnknown", "inputs": {"image": built["data"]["nodes"]["image"]}})
    (unknown,) = bridge.call("validateWorkflow", {})["data"]["inNodesThatLeadToNoOutput"]
    assert unknown["problem"] == "The type TestUnknown is one of the page alone, which ComfyUI cannot run."


def test_what_only_the_page_has_is_found_by_what_people_call_it(comfy, panel, model, install):
    install("own_definitions")
    model.play(
        {
            "about": "Looks for a node of the page, and at it.",
            "steps": [
                {"reply": [{"call": "searchInstalledNodes", "arguments": {"query": "test group toggler"}}]},
                {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["TestToggler"]}}]},
                {"reply": [{"say": "Found."}]},
            ],
        }
    )

    panel.ask("what toggles groups?")

    results = [each["content"] for each in model.requests[-1].messages if each["role"] == "tool"]
    found, described = map(json.loads, results)
    assert found["data"]["nodes"][0] == {
        "type": "TestToggler",
        "name": "Test Group Toggler",
        "category": "",
        "inputs": [],
        "outputs": ["any type"],
        "isPageOnly": True,
    }
    assert described["data"]["nodes"][0]["optionalInputs"] == {"Every group": "BOOLEAN"}
    # A type that cannot be made is none, and looking at it is no error of the page.
    assert "TestBroken" not in json.dumps(found)
    assert not [error for error in comfy.errors if "TestBroken" in error]

"""What edits come to in the real ComfyUI, and whether their results say it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage


def made_by(bridge: Bridge, *operations: dict[str, Any]) -> dict[str, str]:
    """The ids of the nodes that these operations name."""
    done = bridge.edit(*operations)
    assert done["ok"], done
    return done["data"]["nodes"]


@pytest.fixture
def fed(bridge: Bridge) -> dict[str, str]:
    """An image whose width a number decides, and what shows it."""
    return made_by(
        bridge,
        {"op": "add", "type": "PrimitiveInt", "as": "number", "widgets": {"value": 64}},
        {"op": "add", "type": "EmptyImage", "as": "image", "inputs": {"width": "number.INT"}},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": "image.IMAGE"}},
    )


def test_a_value_that_a_link_overrules_is_refused_with_what_decides(comfy: ComfyPage, bridge: Bridge, fed):
    number, image = fed["number"], fed["image"]

    refused = bridge.edit({"op": "set", "nodes": [image], "widgets": {"width": 128}})

    assert not refused["ok"]
    assert f"{image}.width comes from {number}.INT" in refused["error"]
    assert f"Set {number}.value" in refused["hint"]
    assert bridge.edit({"op": "set", "nodes": [number], "widgets": {"value": 128}})["ok"]
    assert comfy.prompt()[image]["inputs"]["width"] == [number, 0]
    text = bridge.call("getWorkflowInfo", {"nodeIds": [image]})["data"]["text"]
    assert f"(unused: from {number}.INT)" in text


def test_inside_a_subgraph_the_widget_of_its_node_decides(comfy: ComfyPage, bridge: Bridge, fed):
    image = fed["image"]
    outer = bridge.edit(
        {"op": "disconnect", "to": f"{image}.width"}, {"op": "makeSubgraph", "nodes": [image]}
    )["data"]["subgraphs"][0]
    assert bridge.edit({"op": "promote", "to": f"{outer}:{image}.width"})["ok"]

    refused = bridge.edit({"op": "set", "nodes": [f"{outer}:{image}"], "widgets": {"width": 128}})

    assert not refused["ok"]
    assert f"Set {outer}.width" in refused["hint"]
    assert bridge.edit({"op": "set", "nodes": [outer], "widgets": {"width": 128}})["ok"]
    assert comfy.prompt()[f"{outer}:{image}"]["inputs"]["width"] == 128

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


def test_a_subgraph_is_named_and_edited_inside_in_the_batch_that_makes_it(
    comfy: ComfyPage, bridge: Bridge, fed
):
    image, look = fed["image"], fed["look"]

    done = bridge.edit(
        {"op": "add", "type": "ImageScaleBy", "as": "bigger", "inputs": {"image": f"{image}.IMAGE"}},
        {"op": "connect", "from": "bigger.IMAGE", "to": f"{look}.images"},
        {"op": "makeSubgraph", "nodes": [image, "bigger"], "as": "source", "title": "Source"},
        {"op": "title", "nodes": ["source:bigger"], "title": "inner"},
        {"op": "promote", "to": "source:bigger.scale_by", "title": "factor"},
        {"op": "set", "nodes": ["source"], "widgets": {"factor": 2}},
        {"op": "insert", "to": f"{look}.images", "type": "ImageInvert", "title": "Negative"},
    )

    assert done["ok"], done
    outer, inner = done["data"]["nodes"]["source"], done["data"]["nodes"]["bigger"]
    assert inner.startswith(f"{outer}:")
    prompt = comfy.prompt()
    assert prompt[inner]["inputs"]["scale_by"] == 2
    assert prompt[inner]["_meta"]["title"] == "inner"
    negative = prompt[look]["inputs"]["images"][0]
    assert prompt[negative]["_meta"]["title"] == "Negative"
    assert prompt[negative]["inputs"]["image"] == [inner, 0]


def test_a_lora_goes_into_the_links_of_model_and_text_encoder(comfy: ComfyPage, bridge: Bridge):
    made = made_by(
        bridge,
        {"op": "add", "type": "CheckpointLoaderSimple", "as": "loader"},
        {"op": "add", "type": "CLIPTextEncode", "as": "good", "inputs": {"clip": ["loader", 1]}},
        {"op": "add", "type": "CLIPTextEncode", "as": "bad", "inputs": {"clip": "loader.CLIP"}},
        {"op": "add", "type": "KSampler", "as": "sampler", "inputs": {"model": "loader.MODEL"}},
        {"op": "add", "type": "KSampler", "as": "second", "inputs": {"model": "loader.MODEL"}},
    )

    done = bridge.edit({"op": "insert", "to": f"{made['sampler']}.model", "type": "LoraLoader", "as": "lora"})

    assert done["ok"], done
    lora = done["data"]["nodes"]["lora"]
    prompt = comfy.prompt()
    assert [prompt[lora]["inputs"][name] for name in ("model", "clip")] == [
        [made["loader"], 0],
        [made["loader"], 1],
    ]
    assert [prompt[made[name]]["inputs"]["clip"] for name in ("good", "bad")] == [[lora, 1], [lora, 1]]
    assert prompt[made["sampler"]]["inputs"]["model"] == [lora, 0]
    assert done["data"]["notMoved"] == [f"{made['second']}.model still takes {made['loader']}.MODEL"]

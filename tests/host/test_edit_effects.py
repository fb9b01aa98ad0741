"""What edits come to in the real ComfyUI, and whether their results say it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.scenarios import scenario


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


def test_a_lora_whose_text_encoder_lies_elsewhere_names_what_could_go_through_it(bridge: Bridge):
    made = made_by(
        bridge,
        {"op": "add", "type": "UNETLoader", "as": "model"},
        {"op": "add", "type": "DualCLIPLoader", "as": "clip"},
        {"op": "add", "type": "CLIPTextEncode", "as": "text", "inputs": {"clip": "clip.CLIP"}},
        {"op": "add", "type": "KSampler", "as": "sampler", "inputs": {"model": "model.MODEL"}},
    )

    done = bridge.edit({"op": "insert", "to": f"{made['sampler']}.model", "type": "LoraLoader"})

    assert done["ok"], done
    [left] = done["data"]["notMoved"]
    assert left.startswith(f"{made['clip']}.CLIP still goes into {made['text']}.clip and could go through")


def test_a_refused_batch_comes_with_the_one_that_fits(comfy: ComfyPage, bridge: Bridge):
    made = made_by(
        bridge,
        {"op": "add", "type": "CheckpointLoaderSimple", "as": "loader"},
        {"op": "add", "type": "KSampler", "as": "sampler"},
    )
    before = bridge.saved()

    refused = bridge.edit(
        {"op": "add", "type": "Empty Latent Image", "as": "size", "widgets": {"width": 0}},
        {"op": "connect", "from": "size.samples", "to": f"{made['sampler']}.latent"},
        {"op": "connect", "from": f"{made['loader']}.CLIP", "to": f"{made['sampler']}.model"},
        {"op": "set", "nodes": [made["loader"]], "widgets": {"steps": 99_999}},
    )

    assert not refused["ok"]
    assert bridge.saved() == before
    done = bridge.call("editWorkflow", refused["sendInstead"])
    assert done["ok"], done
    size, inputs = done["data"]["nodes"]["size"], comfy.prompt()[made["sampler"]]["inputs"]
    assert inputs["latent_image"] == [size, 0]
    assert inputs["model"] == [made["loader"], 0]
    assert inputs["steps"] == 10_000


def test_a_group_has_its_nodes_and_no_others(bridge: Bridge):
    made = made_by(
        bridge,
        *(
            {"op": "add", "type": "EmptyImage", "as": name, "position": {"x": x, "y": 0}}
            for name, x in (("one", 0), ("between", 500), ("two", 1000))
        ),
    )

    done = bridge.edit(
        {"op": "color", "nodes": [made["between"]], "color": "purple"},
        {"op": "group", "nodes": [made["one"], made["two"]], "title": "Ends", "color": "green"},
    )

    assert done["ok"], done
    changes = done["data"]["changes"]
    assert changes["added"] == {'group "Ends"': f"{made['one']} {made['two']}"}
    assert changes["changed"][made["between"]] == "EmptyImage color purple"
    # One goes under the other, and the one between stays.
    [moved] = {made["one"], made["two"]} & set(changes["changed"])
    assert changes["changed"][moved].startswith("EmptyImage moved "), changes
    assert "group" in bridge.call("getWorkflowInfo", {})["data"]["text"]


def test_what_nothing_uses_any_more_is_told_and_what_may_be_open_is_not(bridge: Bridge):
    made = made_by(
        bridge,
        {"op": "add", "type": "EmptyImage", "as": "one"},
        {"op": "add", "type": "EmptyImage", "as": "two"},
        {
            "op": "add",
            "type": "ImageStitch",
            "as": "both",
            "inputs": {"image1": "one.IMAGE", "image2": "two.IMAGE"},
        },
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "both.IMAGE"}},
        {"op": "makeSubgraph", "nodes": ["both"], "as": "outer", "title": "Both"},
    )
    outer = made["outer"]

    done = bridge.call("disconnectNodes", {"toNode": outer, "toInput": "image2"})

    assert done["ok"], done
    assert done["data"]["stillUnconnected"] == [f"{made['two']} EmptyImage is used by nothing now"]
    done = bridge.call("disconnectNodes", {"toNode": outer, "toInput": "image1"})
    assert f"{outer}.image1 (IMAGE) needs a source" in done["data"]["stillUnconnected"]


def test_nodes_that_went_into_a_subgraph_are_not_told_as_removed(bridge: Bridge, fed):
    done = bridge.edit({"op": "makeSubgraph", "nodes": [fed["number"], fed["image"]], "title": "Source"})

    (outer,) = done["data"]["subgraphs"]
    ids = f"{fed['number']} {fed['image']}"
    assert done["data"]["changes"]["added"] == {outer: f'Subgraph "Source" ({ids} moved into it)'}
    assert done["data"]["changes"]["removed"] == {}


def test_each_small_edit_shows_what_it_changed_and_to_what(panel, model):
    model.play(scenario("single-changes"))

    assert panel.ask("change this and that") == "Done."

    def chips(tool: str, index: int = 0) -> str:
        changes = panel.tool_card(tool).nth(index).get_by_role("list", name="Changed nodes")
        return changes.inner_text()

    assert "EmptyImage width=64→128" in chips("setNodeWidgetValue")
    assert 'CLIPTextEncode text→"a red fox that runs over the snow' in chips("editWorkflow", 1)
    assert 'group "Picture"' in chips("editWorkflow", 2)
    assert "moved into it" in chips("editWorkflow", 2)
    assert "CLIPTextEncode" in chips("removeNode")
    record = panel.tool_card("setNodeWidgetValue").inner_text()
    assert "Changed" in record

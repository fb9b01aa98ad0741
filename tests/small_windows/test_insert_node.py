from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_definition import NodeOutput
from comfyui_assistant.engine.comfy.node_input import NodeInput
from comfyui_assistant.engine.comfy.snapshot import Environment
from comfyui_assistant.engine.small_windows.call import BrowserCall, edit
from comfyui_assistant.engine.small_windows.insert_node import insert_node
from comfyui_assistant.engine.small_windows.open_workflow import Workflow
from comfyui_assistant.engine.small_windows.places import Side

from .workflows import DEFAULT, DEFAULT_NODES, ENVIRONMENT, NEWEST, RESIZED, node, workflow


def inserted(
    kind: str,
    side: Side,
    at: str,
    slot: str | None = None,
    *,
    into: Workflow = DEFAULT,
    environment: Environment = ENVIRONMENT,
) -> Any:
    target = into.node(at)
    assert target is not None
    return insert_node(into, environment, environment.nodes[kind], side, target, slot)


@pytest.mark.parametrize(
    ("kind", "side", "at", "operation"),
    [
        ("ImageInvert", "before", "9", {"op": "insert", "type": "ImageInvert", "to": "9.images"}),
        ("LoraLoader", "before", "3", {"op": "insert", "type": "LoraLoader", "to": "3.model"}),
        ("LoraLoader", "after", "4", {"op": "insert", "type": "LoraLoader", "from": "4.MODEL"}),
        (
            "PreviewImage",
            "after",
            "8",
            {"op": "add", "type": "PreviewImage", "inputs": {"images": "8.IMAGE"}},
        ),
        ("VAEEncode", "after", "8", {"op": "add", "type": "VAEEncode", "inputs": {"pixels": "8.IMAGE"}}),
    ],
)
def test_a_node_goes_on_the_link_before_or_after_another(
    kind: str, side: Side, at: str, operation: dict[str, Any]
) -> None:
    assert inserted(kind, side, at) == edit(operation)


def test_behind_a_node_all_that_takes_its_output_takes_it_through_the_new_one() -> None:
    second = workflow(*DEFAULT_NODES, node(10, "KSampler", {"model": "4", "latent_image": "3"}))
    insert = {"op": "insert", "type": "LoraLoader"}
    assert inserted("LoraLoader", "after", "4", into=second) == edit({**insert, "from": "4.MODEL"})
    assert inserted("LoraLoader", "before", "3", into=second) == edit({**insert, "to": "3.model"})


def test_where_it_could_stand_before_several_inputs_one_has_to_be_named() -> None:
    result = inserted("ConditioningSetTimestepRange", "before", "3")
    assert result["hint"] == "Name one as the node: 3.positive, 3.negative."
    call = inserted("ConditioningSetTimestepRange", "before", "3", "negative")
    assert call.input["operations"][0]["to"] == "3.negative"


@pytest.mark.parametrize("output", ["CLIP", "clip", None])
def test_behind_an_output_by_name_a_node_goes_on_all_links_of_it(output: str | None) -> None:
    """The links of the list tell no output where only one fits."""
    call = inserted("CLIPSetLastLayer", "after", "4", output)
    assert call.input["operations"] == [{"op": "insert", "type": "CLIPSetLastLayer", "from": "4.CLIP"}]


def test_an_output_that_a_node_has_not_is_no_place() -> None:
    assert not isinstance(inserted("CLIPSetLastLayer", "after", "4", "LATENT"), BrowserCall)


def test_at_the_end_of_a_chain_a_node_takes_what_comes_out() -> None:
    open_end = workflow(*DEFAULT_NODES[:-1])
    assert inserted("ImageInvert", "after", "8", into=open_end) == edit(
        {"op": "add", "type": "ImageInvert", "inputs": {"image": "8.IMAGE"}}
    )


def test_a_node_that_takes_two_of_a_kind_is_refused_with_the_way_that_names_its_inputs() -> None:
    result = inserted("ImageBlend", "before", "9")
    assert result["error"] == "ImageBlend takes IMAGE twice: image1 and image2."
    assert "addNode" in result["hint"]


def test_a_node_that_gives_as_many_of_a_kind_as_it_takes_goes_on_the_links_together() -> None:
    call = inserted("ControlNetApplyAdvanced", "before", "3", "positive")
    assert call.input["operations"][0]["to"] == "3.positive"


def test_what_fits_nowhere_is_refused_with_what_goes_there() -> None:
    result = inserted("CheckpointLoaderSimple", "before", "9")
    assert not isinstance(result, BrowserCall)
    assert "the links there carry IMAGE" in result["error"]


def test_a_node_that_takes_images_or_masks_goes_between_images_and_before_such_a_node() -> None:
    assert inserted("ResizeImageMaskNode", "before", "9", environment=NEWEST) == edit(
        {"op": "insert", "type": "ResizeImageMaskNode", "to": "9.images"}
    )
    assert inserted("ImageInvert", "before", "10", into=RESIZED, environment=NEWEST) == edit(
        {"op": "insert", "type": "ImageInvert", "to": "10.input"}
    )


IN_SUBGRAPH_INNER = {
    "key": "S1",
    "name": "Text to Image",
    "nodes": [node(3, "KSampler", steps=20), node(8, "VAEDecode", {"samples": "3"})],
    "groups": [],
    "inputs": [],
    "outputs": [{"name": "IMAGE", "source": {"node": "8"}}],
}
IN_SUBGRAPH = workflow(node(75, "S1"), node(9, "SaveImage", {"images": "75"}), subgraphs=[IN_SUBGRAPH_INNER])


def test_behind_the_node_that_feeds_a_subgraphs_output_a_node_goes_on_that_link() -> None:
    call = inserted("ImageSharpen", "after", "75:8", into=IN_SUBGRAPH)
    assert call == edit({"op": "insert", "type": "ImageSharpen", "from": "75:8.IMAGE"})


def test_what_hands_nothing_on_stands_inside_beside_the_node_that_it_takes_of() -> None:
    call = inserted("PreviewImage", "after", "75:8", into=IN_SUBGRAPH)
    inputs = {"images": "75:8.IMAGE"}
    assert call == edit({"op": "add", "type": "PreviewImage", "inputs": inputs, "inside": "75"})


def test_before_a_node_with_an_open_input_stands_what_gives_what_that_takes() -> None:
    decoder = {**node(8, "VAEDecode", {"samples": "3"}), "remarks": {"openInputs": ["vae"]}}
    inner = {**IN_SUBGRAPH_INNER, "nodes": [node(3, "KSampler", steps=20), decoder]}
    found = workflow(node(75, "S1"), subgraphs=[inner])
    assert inserted("VAELoader", "before", "75:8", into=found) == edit(
        {"op": "add", "type": "VAELoader", "as": "added", "inside": "75"},
        {"op": "connect", "from": "added", "to": "75:8.vae"},
    )
    assert not isinstance(inserted("EmptyLatentImage", "before", "3", "latent_image"), BrowserCall)


def test_a_node_that_takes_anything_goes_on_any_link_unless_it_takes_two_of_a_kind() -> None:
    switch = inserted("ComfySwitchNode", "after", "8", environment=NEWEST)
    assert switch["error"] == "If/Else Switch takes IMAGE twice: on_false and on_true."
    reroute = replace(
        NEWEST.nodes["ComfySwitchNode"],
        type="Pass",
        inputs=(NodeInput("anything", "*", True, False),),
        outputs=(NodeOutput("*", "*"),),
    )
    environment = replace(NEWEST, nodes={**NEWEST.nodes, "Pass": reroute})
    assert inserted("Pass", "before", "9", environment=environment) == edit(
        {"op": "insert", "type": "Pass", "to": "9.images"}
    )

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.small_windows.listing import apply_names, listed_names, write_listing
from comfyui_assistant.engine.small_windows.names import (
    base_name,
    prompt_role,
    short_label,
    titles,
    values_by_name,
)
from comfyui_assistant.engine.small_windows.open_workflow import Workflow

from .workflows import DEFAULT, DEFAULT_NODES, RESIZED, TWO_LORAS, TWO_SAMPLERS, node, workflow


def test_each_value_has_a_name_that_people_use_and_prompts_are_told_by_where_they_go() -> None:
    assert {value.name: (value.node.id, value.widget) for value in values_by_name(DEFAULT)} == {
        "checkpoint": ("4", "ckpt_name"),
        "width": ("5", "width"),
        "height": ("5", "height"),
        "batch size": ("5", "batch_size"),
        "positive prompt": ("6", "text"),
        "negative prompt": ("7", "text"),
        "seed": ("3", "seed"),
        "steps": ("3", "steps"),
        "cfg": ("3", "cfg"),
        "sampler": ("3", "sampler_name"),
        "scheduler": ("3", "scheduler"),
        "file name": ("9", "filename_prefix"),
    }


def test_names_are_numbered_only_where_nodes_are_alike() -> None:
    assert [value.name for value in values_by_name(TWO_LORAS)] == [
        "checkpoint",
        "LoRA 1",
        "LoRA 1 strength model",
        "LoRA 2",
        "LoRA 2 strength model",
        "steps",
    ]


def test_where_titles_differ_their_own_words_tell_the_values_apart() -> None:
    names = [value.name for value in values_by_name(TWO_SAMPLERS)]
    assert names == [f"{word} {name}" for word in ("BASE", "REFINER") for name in ("steps", "cfg", "denoise")]


def test_no_name_stands_twice() -> None:
    found = workflow(*(node(number, "PrimitiveNode", title="same", value=number) for number in range(1, 4)))
    names = [value.name for value in values_by_name(found)]
    assert len(set(names)) == len(names) == 3


def test_a_node_that_hands_a_text_on_is_the_prompt_that_it_feeds() -> None:
    found = workflow(
        node(51, "PrimitiveNode", value="a train"),
        node(6, "CLIPTextEncode", {"text": "51"}),
        node(35, "FluxGuidance", {"conditioning": "6"}, guidance=3.5),
        node(3, "KSampler", {"positive": "35"}),
    )
    assert [value.name for value in values_by_name(found)] == ["positive prompt", "guidance"]
    assert base_name(found, found.nodes[0], "value") == "positive prompt"


def test_a_text_that_is_silenced_or_goes_both_ways_has_no_role() -> None:
    found = workflow(
        node(6, "CLIPTextEncode", text="one"),
        node(7, "CLIPTextEncode", text="both"),
        node(8, "ConditioningZeroOut", {"conditioning": "6"}),
        node(3, "KSampler", {"positive": "7", "negative": "7"}),
        node(4, "KSampler", {"positive": "6", "negative": "8"}),
    )
    roles = {one.id: prompt_role(found, one) for one in found.nodes}
    assert (roles["6"], roles["7"]) == ("positive", "")


def test_titles_are_numbered_where_several_nodes_have_one() -> None:
    assert titles(TWO_LORAS) == {
        "4": "Load Checkpoint",
        "11": "Load LoRA 1",
        "13": "Load LoRA 2",
        "3": "KSampler",
    }
    assert short_label("Load LoRA") == "LoRA"


def test_prompts_of_one_node_are_told_apart_by_their_own_names() -> None:
    found = workflow(
        node(41, "CLIPTextEncodeFlux", clip_l="a car", t5xxl="a long car", guidance=3.5),
        node(3, "KSampler", {"positive": "41"}),
    )
    assert [value.name for value in values_by_name(found)] == [
        "positive prompt clip l",
        "positive prompt t5xxl",
        "guidance",
    ]


def test_a_value_of_a_subgraph_goes_by_what_the_canvas_shows() -> None:
    inner = {
        "key": "S1",
        "name": "Image to Video",
        "inputs": [{"name": "value_1", "label": "duration"}, {"name": "value", "label": "enable_turbo_mode"}],
        "nodes": [],
        "groups": [],
    }
    found = workflow(node(129, "S1", value_1=5, value=False, width=640), subgraphs=[inner])
    assert [value.name for value in values_by_name(found)] == ["duration", "enable turbo mode", "width"]


@pytest.mark.parametrize(
    ("shown", "name"), [("", "positive prompt"), ("prompt", "positive prompt"), ("wish", "wish")]
)
def test_a_text_that_a_subgraph_hands_in_goes_by_what_it_is_inside(shown: str, name: str) -> None:
    inner = {
        "key": "S1",
        "name": "Text to Image",
        "inputs": [{"name": "text", "label": shown}],
        "nodes": [
            node(6, "CLIPTextEncode", {"text": "input"}),
            node(7, "CLIPTextEncode", text="blurry"),
            node(3, "KSampler", {"positive": "6", "negative": "7"}, steps=20),
        ],
    }
    found = values_by_name(workflow(node(75, "S1", text="a bottle"), subgraphs=[inner]))
    assert (found[0].name, found[0].node.id) == (name, "75")
    assert "negative prompt" in {value.name for value in found}


@pytest.mark.parametrize(
    ("guider", "links"),
    [
        ("DualCFGGuider", {"cond1": "6", "cond2": "7", "negative": "7"}),
        ("DualCFGGuider", {"cond1": "6", "cond2": "6", "negative": "7"}),
        ("CFGGuider", {"positive": "6", "negative": "7"}),
    ],
)
def test_what_a_guider_takes_first_is_wanted(guider: str, links: dict[str, str]) -> None:
    found = workflow(
        node(6, "CLIPTextEncode", text="a cat"),
        node(7, "CLIPTextEncode", text="blurry"),
        node(27, guider, links),
    )
    names = {value.node.id: value.name for value in values_by_name(found) if value.widget == "text"}
    assert names == {"6": "positive prompt", "7": "negative prompt"}


def test_the_only_text_of_a_guider_is_the_prompt() -> None:
    found = workflow(
        node(6, "CLIPTextEncode", text="a cat"),
        node(22, "BasicGuider", {"conditioning": "26"}),
        node(26, "FluxGuidance", {"conditioning": "6"}, guidance=3.5),
    )
    assert [value.name for value in values_by_name(found)] == ["positive prompt", "guidance"]


def test_a_value_that_a_choice_brings_is_called_by_its_own_name() -> None:
    [value] = [one for one in values_by_name(RESIZED) if one.widget == "resize_type.multiplier"]
    assert value.name == "multiplier"


def _later(before: Workflow, *nodes: dict[str, Any]) -> Workflow:
    """The same workflow with other nodes, later in the turn in which a model was shown it as it was before."""
    return apply_names(workflow(*nodes), listed_names(write_listing(before, room=2_000, count=len), before))


def test_a_node_that_is_made_meanwhile_takes_no_name_and_no_number_of_another() -> None:
    first, second = (
        node(11, "LoraLoader", {"model": "4"}, lora_name="box.safetensors", strength_model=0.75),
        node(13, "LoraLoader", {"model": "15"}, lora_name="ink.safetensors", strength_model=0.5),
    )
    new = node(15, "LoraLoader", {"model": "11"}, lora_name="box.safetensors", strength_model=1)
    loader = node(4, "CheckpointLoaderSimple", ckpt_name="v1-5.safetensors")
    found = _later(TWO_LORAS, loader, first, second, new)
    names = {value.key: value.name for value in values_by_name(found)}
    assert names["13.lora_name"] == "LoRA 2"
    assert names["13.strength_model"] == "LoRA 2 strength model"
    assert names["15.lora_name"] == "15.lora_name"
    assert titles(found) | {"4": ""} == {"4": "", "11": "Load LoRA 1", "13": "Load LoRA 2", "15": "Load LoRA"}


def test_a_short_name_that_fits_a_new_node_too_is_no_name_any_more() -> None:
    new = node(17, "KSampler", {"latent_image": "3"}, steps=20, denoise=1)
    names = {value.key: value.name for value in values_by_name(_later(DEFAULT, *DEFAULT_NODES, new))}
    assert (names["3.steps"], names["17.steps"]) == ("3.steps", "17.steps")
    assert (names["3.cfg"], names["17.denoise"]) == ("cfg", "denoise")


def test_a_name_stays_where_another_would_be_given_now() -> None:
    moved = [each for each in DEFAULT_NODES if each["id"] != "3"]
    sampler = node(3, "KSampler", {"positive": "20", "negative": "7"}, steps=20)
    new = node(20, "CLIPTextEncode", {"clip": "4"}, text="a jar")
    found = _later(DEFAULT, *moved, sampler, new)
    names = {value.key: value.name for value in values_by_name(found)}
    assert (names["6.text"], names["20.text"]) == ("6.text", "20.text")
    assert names["7.text"] == "negative prompt"


def test_the_names_of_another_workflow_are_not_those_of_this_one() -> None:
    shown = {"": "another", "3.steps": "steps of old"}
    names = [value.name for value in values_by_name(apply_names(DEFAULT, shown))]
    assert "steps" in names

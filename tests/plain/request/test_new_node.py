from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.plain.request.new_node import new_node
from comfyui_assistant.engine.plain.workflow import Workflow

from ..workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, node, workflow

SPLIT = workflow(
    node(38, "UNETLoader", unet_name="flux.safetensors"),
    node(31, "KSampler", {"model": "38"}, steps=4),
)


@pytest.mark.parametrize(
    ("phrase", "operations"),
    [
        ("a lora", [{"op": "insert", "type": "LoraLoader", "to": "3.model"}]),
        (
            "a lora with strength 0,6",
            [{"op": "insert", "type": "LoraLoader", "to": "3.model", "widgets": {"strength_model": 0.6}}],
        ),
        (
            "a LoRA between the checkpoint and the sampler",
            [{"op": "insert", "type": "LoraLoader", "to": "3.model"}],
        ),
        ("an ImageInvert node", [{"op": "insert", "type": "ImageInvert", "to": "9.images"}]),
        ("a blur vor dem Speichern", [{"op": "insert", "type": "ImageBlur", "to": "9.images"}]),
        ("a blur before the image is saved", [{"op": "insert", "type": "ImageBlur", "to": "9.images"}]),
        ("a blur at the end", [{"op": "insert", "type": "ImageBlur", "to": "9.images"}]),
        (
            "a preview of the final image",
            [{"op": "add", "type": "PreviewImage", "inputs": {"images": "8.IMAGE"}}],
        ),
        (
            "a preview after the VAE Decode",
            [{"op": "add", "type": "PreviewImage", "inputs": {"images": "8.IMAGE"}}],
        ),
        (
            "empty latent image 512x768",
            [{"op": "add", "type": "EmptyLatentImage", "widgets": {"width": 512, "height": 768}}],
        ),
    ],
)
def test_it_goes_where_it_belongs_or_where_it_is_said_to(
    phrase: str, operations: list[dict[str, Any]]
) -> None:
    assert new_node(DEFAULT, ENVIRONMENT, phrase) == operations


@pytest.mark.parametrize(
    ("flow", "type_", "to"),
    [(SPLIT, "LoraLoaderModelOnly", "31.model"), (TWO_LORAS, "LoraLoader", "3.model")],
)
def test_a_lora_goes_behind_the_last_one_and_takes_what_is_there(flow: Workflow, type_: str, to: str) -> None:
    assert new_node(flow, ENVIRONMENT, "another lora") == [{"op": "insert", "type": type_, "to": to}]


def test_what_only_shows_something_takes_it_from_where_there_is_some() -> None:
    picture = node(10, "LoadImage", image="a.png")
    shown = {"op": "add", "type": "MaskPreview", "inputs": {"mask": "10.MASK"}}
    assert new_node(workflow(picture), ENVIRONMENT, "a preview of the mask") == [shown]
    assert new_node(DEFAULT, ENVIRONMENT, "a preview of the mask") == []
    assert new_node(workflow(picture, node(11, "LoadImage")), ENVIRONMENT, "a preview of the mask") == []


def test_what_it_cannot_do_without_comes_with_it() -> None:
    loader, picture, applied = new_node(DEFAULT, ENVIRONMENT, "a controlnet")
    assert (loader["type"], picture["type"]) == ("ControlNetLoader", "LoadImage")
    assert (applied["type"], applied["to"]) == ("ControlNetApplyAdvanced", "3.positive")
    assert applied["inputs"] == {
        "control_net": f"{loader['as']}.CONTROL_NET",
        "image": f"{picture['as']}.IMAGE",
    }


@pytest.mark.parametrize(
    "phrase", ["a cat", "a lora for the dog", "a blur before the moon", "noise 512x768", ""]
)
def test_a_word_that_is_left_over_adds_nothing(phrase: str) -> None:
    assert new_node(DEFAULT, ENVIRONMENT, phrase) == []

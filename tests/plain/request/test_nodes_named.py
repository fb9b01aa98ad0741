from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.nodes_named import nodes_named, words_alone
from comfyui_assistant.engine.plain.workflow import Workflow

from ..workflows import DEFAULT, TWO_LORAS, TWO_SAMPLERS, node, workflow

WITH_FULL_STOPS = workflow(
    node(4, "CheckpointLoaderSimple", ckpt_name="dream.safetensors"),
    node(7, "CLIPTextEncode", {"clip": "4"}, text="No blur. No noise.", title="What to avoid"),
)
SCALED = workflow(
    node(10, "LoadImage", image="controlnet_example.png"),
    node(18, "ImageScaleToTotalPixels", {"image": "10"}),
    node(9, "SaveImage", {"images": "18"}, title="Mon aperçu"),
)
TWO_SCALES = workflow(
    node(5, "ImageScale", image="a.png"),
    node(10, "ImageScale", {"image": "5"}),
)


@pytest.mark.parametrize(
    ("phrase", "flow", "ids"),
    [
        ("5 steps", DEFAULT, []),
        ("the encoders", DEFAULT, ["6", "7"]),
        ("both scales", TWO_SCALES, ["5", "10"]),
        ("scales", TWO_SCALES, ["5", "10"]),
        ("the scale", TWO_SCALES, ["10"]),
        ("3 ksampler", DEFAULT, ["3"]),
        ("the Save Image node", DEFAULT, ["9"]),
        ("save", DEFAULT, ["9"]),
        ("7", DEFAULT, ["7"]),
        ("node 7", DEFAULT, ["7"]),
        ("nodes 7 and 4", DEFAULT, ["7", "4"]),
        ("nodes 7 and 77", DEFAULT, []),
        ("the negative prompt", DEFAULT, ["7"]),
        ("dream", WITH_FULL_STOPS, ["4"]),
        ("the blur", WITH_FULL_STOPS, []),
        ("the sampler", DEFAULT, ["3"]),
        ("the node that scales the image", SCALED, ["18"]),
        ("the scaling", SCALED, ["18"]),
        ("mon aperçu", SCALED, ["9"]),
        ("controlnet", SCALED, ["10"]),
        ("das zweite LoRA", TWO_LORAS, ["13"]),
        ("the last lora", TWO_LORAS, ["13"]),
        ("the box lora", TWO_LORAS, ["11"]),
        ("all loras", TWO_LORAS, ["11", "13"]),
        ("loras", TWO_LORAS, ["11", "13"]),
        ("lora", TWO_LORAS, []),
        ("the refiner", TWO_SAMPLERS, ["2"]),
        ("the dog", DEFAULT, []),
        ("the third sampler", DEFAULT, []),
        ("", DEFAULT, []),
        ("the", DEFAULT, []),
    ],
)
def test_a_phrase_names_its_nodes_or_none(phrase: str, flow: Workflow, ids: list[str]) -> None:
    assert [found.id for found in nodes_named(flow, phrase)] == ids


def test_what_names_nothing_is_left_out() -> None:
    assert words_alone("take the Vorschau node") == "take preview"

"""What getNodeInfo says of choices that bring inputs, of inputs that grow and of those of one type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_definition import read_node_definition
from comfyui_assistant.engine.comfy.node_input import flatten_inputs
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.tools.get_node_info import get_node_info
from comfyui_assistant.engine.tools.input_lines import type_text
from comfyui_assistant.engine.tools.tool import run_server_tool

NEWEST = json.loads((Path(__file__).parents[1] / "fixtures" / "newest_nodes.json").read_text("utf-8"))
MOST_TOKENS = 400


def _brings_others(name: str) -> bool:
    definition = read_node_definition(name, NEWEST[name])
    inputs = flatten_inputs(definition.inputs)
    return any(given.options or given.grows or given.match for given in inputs)


NEW_KINDS = sorted(filter(_brings_others, NEWEST))
CORE = [name for name in NEW_KINDS if not NEWEST[name].get("api_node")]


@pytest.fixture
def described(services, comfy):
    comfy.object_info.clear()
    comfy.object_info.update(NEWEST)

    async def describe(name: str) -> dict[str, Any]:
        result = await run_server_tool(get_node_info, {"types": [name]}, services)
        [node] = result["data"]["nodes"]
        return node

    return describe


async def test_the_inputs_that_a_choice_brings_stand_by_their_full_names_with_the_choice(described):
    node = await described("ResizeImageMaskNode")

    assert node["inputs"] == {
        "input": "IMAGE or MASK",
        "resize_type": "one of: scale dimensions, scale by multiplier, scale longer dimension, scale shorter "
        "dimension, scale width, scale height, scale total pixels, match size, scale to multiple",
        "resize_type.width": "with scale dimensions or scale width: INT, 0 to 16384, default 512",
        "resize_type.height": "with scale dimensions or scale height: INT, 0 to 16384, default 512",
        "resize_type.crop": "with scale dimensions or match size: one of: disabled, center, default center",
        "resize_type.multiplier": "with scale by multiplier: FLOAT, 0.01 to 8, default 1",
        "resize_type.longer_size": "with scale longer dimension: INT, 0 to 16384, default 512",
        "resize_type.shorter_size": "with scale shorter dimension: INT, 0 to 16384, default 512",
        "resize_type.megapixels": "with scale total pixels: FLOAT, 0.01 to 16, default 1",
        "resize_type.match": "with match size: IMAGE or MASK",
        "resize_type.multiple": "with scale to multiple: INT, 1 to 16384, default 8",
        "scale_method": "one of: nearest-exact, bilinear, area, bicubic, lanczos, default area",
    }
    assert node["outputs"] == ["resized: same type as input"]


async def test_of_choices_in_choices_those_are_named_that_an_input_depends_on(described):
    inputs = (await described("SaveVideo"))["inputs"]

    assert {name: line for name, line in inputs.items() if name.startswith("format")} == {
        "format": "one of: auto, mp4, mkv, webm",
        "format.codec": "with all but webm: one of: auto, h264, av1; with webm: one of: auto, av1",
        "format.codec.encoding": "with all but auto: one of: auto, re-encode",
        "format.codec.encoding.crf": "with codec h264 and encoding re-encode: FLOAT, 0 to 51, default 23; "
        "with codec av1 and encoding re-encode: FLOAT, 0 to 63, default 30",
        "format.codec.encoding.color_space": "with re-encode: one of: auto, sRGB, HDR, HDR PQ, default auto",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "section", "lines"),
    [
        ("BatchImagesNode", "inputs", {"images.image0 … images.image49": "IMAGE, at least 1"}),
        ("StringFormat", "optionalInputs", {"values.a … values.z": "any type, any number"}),
        (
            "ComfyMathExpression",
            "inputs",
            {
                "expression": "STRING, default a + b",
                "values.a … values.z": "FLOAT, INT or BOOLEAN, at least 1",
            },
        ),
        ("CreateList", "inputs", {"inputs.input0 … inputs.input9": "any type, all the same, at least 1"}),
        (
            "ComfySwitchNode",
            "inputs",
            {
                "switch": "BOOLEAN",
                "on_false": "any type, the same as on_true",
                "on_true": "any type, the same as on_false",
            },
        ),
    ],
)
async def test_what_grows_and_what_has_one_type_is_said_in_words(described, name, section, lines):
    assert (await described(name))[section] == lines


async def test_what_the_page_hides_is_left_out(described):
    assert "optionalInputs" not in await described("SaveVideo")


async def test_each_is_told_in_few_tokens_whatever_its_tooltips(described, comfy):
    comfy.object_info.update({name: _with_tooltips(NEWEST[name]) for name in CORE})
    tokens = {name: _tokens(await described(name)) for name in CORE}

    assert {name: count for name, count in tokens.items() if count > MOST_TOKENS} == {}


@pytest.mark.slow
async def test_nothing_of_the_form_of_a_definition_is_in_what_is_told(described):
    for name in NEW_KINDS:
        node = await described(name)
        text = json.dumps([node["inputs"], node.get("optionalInputs"), node["outputs"]])
        assert not [mark for mark in ("COMFY_", "{'", "['", "template_id") if mark in text], name


def test_types_are_told_in_words():
    texts = {slot: type_text(slot) for slot in ("IMAGE", "IMAGE,MASK", "FLOAT,INT,BOOLEAN", "*")}

    assert texts == {
        "IMAGE": "IMAGE",
        "IMAGE,MASK": "IMAGE or MASK",
        "FLOAT,INT,BOOLEAN": "FLOAT, INT or BOOLEAN",
        "*": "any type",
    }


def _tokens(value: Any) -> int:
    """With o200k where its vocabulary is at hand, else the estimate that errs on the high side."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        import tiktoken

        return len(tiktoken.get_encoding("o200k_base").encode_ordinary(text))
    except Exception:
        return count_text(text)


def _with_tooltips(value: Any) -> Any:
    """The same definition with a tooltip of some length at each input."""
    if isinstance(value, dict):
        return {key: _with_tooltips(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    if (
        value
        and isinstance(value[0], str)
        and value[0].isupper()
        and len(value) == 2
        and isinstance(value[1], dict)
    ):
        return [value[0], {**_with_tooltips(value[1]), "tooltip": "What this does, in so many words. " * 4}]
    return [_with_tooltips(one) for one in value]

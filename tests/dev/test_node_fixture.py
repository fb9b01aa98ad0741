from __future__ import annotations

import json
from typing import Any

from comfyui_assistant.engine.comfy.node_definition import read_node_definition
from comfyui_assistant.engine.comfy.node_input import flatten_inputs

from dev.node_fixture import FILE, as_lines, without_texts

SMALL_KILOBYTES = 600


def test_what_is_recorded_of_a_node_has_no_texts_about_it():
    choice = ["COMBO", {"tooltip": "Which.", "options": [*map(str, range(40))], "multiselect": False}]
    inner = {"key": "on", "inputs": {"required": {"n": ["INT", {"tooltip": "How many.", "default": 0}]}}}
    template = {"input": {"required": {"one": ["IMAGE", {"tooltip": "One."}]}}, "prefix": "image", "min": 0}
    info = {
        "input": {
            "required": {
                "choice": choice,
                "mode": ["COMFY_DYNAMICCOMBO_V3", {"options": [inner]}],
                "images": ["COMFY_AUTOGROW_V3", {"template": template}],
                "text": ["STRING", {"default": "long " * 50, "multiline": True}],
            },
            "hidden": {"prompt": ["PROMPT"]},
        },
        "output": ["IMAGE"],
        "output_name": ["IMAGE"],
        "output_is_list": [False],
        "description": "Does this.",
        "api_node": True,
        "price_badge": {
            "depends_on": {"widgets": [{"name": "mode", "type": "COMBO"}]},
            "expr": "$m := widgets.mode",
        },
    }

    assert without_texts(info) == {
        "input": {
            "required": {
                "choice": ["COMBO", {"options": [*map(str, range(25))]}],
                "mode": [
                    "COMFY_DYNAMICCOMBO_V3",
                    {"options": [{"key": "on", "inputs": {"required": {"n": ["INT", {"default": 0}]}}}]},
                ],
                "images": [
                    "COMFY_AUTOGROW_V3",
                    {"template": {"input": {"required": {"one": ["IMAGE"]}}, "prefix": "image", "min": 0}},
                ],
                "text": ["STRING", {"multiline": True}],
            }
        },
        "output": ["IMAGE"],
        "api_node": True,
        "price_badge": {"depends_on": {"widgets": [{"name": "mode"}]}},
    }


def test_the_recorded_nodes_are_small_and_one_a_line():
    text = FILE.read_text("utf-8")
    recorded = json.loads(text)

    assert len(text) < SMALL_KILOBYTES * 1_000
    assert len(text.splitlines()) == len(recorded) + 2
    assert as_lines(recorded) == text
    assert not [key for key in _keys(recorded) if key in ("tooltip", "description", "placeholder")]


def test_each_of_the_recorded_nodes_is_read_with_no_input_of_a_kind_that_is_not_known():
    recorded = json.loads(FILE.read_text("utf-8"))
    unknown = {
        (name, given.type)
        for name, info in recorded.items()
        for given in flatten_inputs(read_node_definition(name, info).inputs)
        if given.type.startswith("COMFY_")
    }

    assert unknown == set()


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    return set[str]().union(*map(_keys, value)) if isinstance(value, list) else set()

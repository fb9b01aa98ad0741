from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.node_definition import TakenObject
from comfyui_assistant.engine.comfy.page_types import read_page_types

GET = {
    "name": "GetNode",
    "display_name": "Get",
    "category": "utils",
    "input": {"optional": {"Constant": [["img", "mask"]]}},
    "output": ["*"],
    "output_name": ["value"],
}


def test_a_type_is_read_with_its_slots_and_as_what_only_the_page_has():
    (get,) = read_page_types([GET])

    assert (get.type, get.display_name, get.is_page_only, get.package) == ("GetNode", "Get", True, None)
    assert [(one.name, one.choices) for one in get.inputs] == [("Constant", ("img", "mask"))]
    assert [(one.name, one.type) for one in get.outputs] == [("value", "*")]


@pytest.mark.parametrize("broken", [None, 7, {}, {"name": 3}, {"name": ""}, {"name": "A", "input": [1]}])
def test_what_is_no_type_is_left_out(broken):
    assert [one.type for one in read_page_types([broken, GET, GET])] == ["GetNode"]


STACK = {
    "name": "LoraStack",
    "objects": {"lora_1": {"on": True, "lora": "None"}},
    "files": {"lora": "LoraLoader.lora_name", "other": "Other.name"},
}


def test_an_object_that_a_type_takes_is_read_with_what_lists_its_files():
    (stack,) = read_page_types([STACK])

    files = (("lora", "LoraLoader", "lora_name"),)
    assert stack.taken_object == TakenObject("lora_1", '{"on": true, "lora": "None"}', files)


@pytest.mark.parametrize("objects", [{"lora_1": 3}, {"lora_1": {"lora": "x" * 1000}}, {}])
def test_what_is_no_short_object_is_left_out(objects):
    assert [one.taken_object for one in read_page_types([{**STACK, "objects": objects}])] == [None]

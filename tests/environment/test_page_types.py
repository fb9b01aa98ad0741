from __future__ import annotations

import pytest
from comfyui_assistant.engine.environment.page_types import read_page_types

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

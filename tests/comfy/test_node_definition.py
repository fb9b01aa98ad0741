from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_definition import (
    NodeOutput,
    TakenObject,
    fits,
    price_of,
    read_node_definition,
    read_page_types,
    shares_type,
)
from comfyui_assistant.engine.comfy.node_input import NodeInput

RECORDED = json.loads((Path(__file__).parents[1] / "fixtures/paid_nodes.json").read_bytes())

GET = {
    "name": "GetNode",
    "display_name": "Get",
    "category": "utils",
    "input": {"optional": {"Constant": [["img", "mask"]]}},
    "output": ["*"],
    "output_name": ["value"],
}


def test_a_recorded_node_is_read_whole(object_info):
    sampler = read_node_definition("KSampler", object_info["KSampler"])

    assert (sampler.display_name, sampler.category, sampler.package) == ("KSampler", "sampling", None)
    assert [name.name for name in sampler.inputs][:4] == ["model", "seed", "steps", "cfg"]
    assert sampler.outputs == (NodeOutput(name="LATENT", type="LATENT"),)
    steps = sampler.inputs[2]
    assert (steps.type, steps.default, steps.minimum, steps.maximum) == ("INT", 20, 1, 10000)
    assert steps.is_widget
    assert not sampler.inputs[0].is_widget


@pytest.mark.parametrize(
    ("node_type", "input_name", "choice"),
    [
        pytest.param("KSampler", "sampler_name", "euler", id="a list in place of the type"),
        pytest.param("SaveVideo", "format", "mp4", id="the type COMBO with options"),
    ],
)
def test_both_notations_of_a_choice_list_are_read(object_info, node_type, input_name, choice):
    definition = read_node_definition(node_type, object_info[node_type])
    [found] = [given for given in definition.inputs if given.name == input_name]

    assert found.type == "COMBO"
    assert found.choices is not None
    assert choice in found.choices


def test_choices_that_the_browser_fetches_are_unknown_here(object_info):
    [image] = read_node_definition("LoadImageOutput", object_info["LoadImageOutput"]).inputs

    assert (image.type, image.choices) == ("COMBO", None)


def test_hidden_inputs_are_left_out(object_info):
    names = [given.name for given in read_node_definition("SaveImage", object_info["SaveImage"]).inputs]

    assert names == ["images", "filename_prefix"]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param("IMAGE", NodeInput("x", "IMAGE", True, False), id="a bare type"),
        pytest.param(("IMAGE",), NodeInput("x", "IMAGE", True, False), id="a type alone"),
        pytest.param(("IMAGE", None), NodeInput("x", "IMAGE", True, False), id="no options"),
        pytest.param(("IMAGE", "options?"), NodeInput("x", "IMAGE", True, False), id="text for options"),
        pytest.param(("INT", {"forceInput": True}), NodeInput("x", "INT", True, False), id="forced socket"),
        pytest.param(
            ("FLOAT", {"min": float("-inf"), "max": float("inf"), "default": float("nan")}),
            NodeInput("x", "FLOAT", True, True),
            id="limits that JSON cannot say",
        ),
        pytest.param(
            ([1, 2.5, True, None, "a\ud800b"],),
            NodeInput("x", "COMBO", True, True, choices=(1, 2.5, True, "", "a\N{REPLACEMENT CHARACTER}b")),
            id="choices of any type",
        ),
        pytest.param(([],), NodeInput("x", "COMBO", True, True, choices=()), id="no choices"),
    ],
)
def test_whatever_packs_write_becomes_a_plain_input(spec, expected):
    definition = read_node_definition("Odd", {"input": {"required": {"x": spec}}, "output": None})

    assert definition.inputs == (expected,)
    json.dumps([given.choices for given in definition.inputs], allow_nan=False)


def test_outputs_survive_a_missing_comma_and_missing_names():
    definition = read_node_definition("Odd", {"output": "IMAGE", "output_name": [None]})

    assert definition.outputs == (NodeOutput(name="IMAGE", type="IMAGE"),)


def test_an_output_that_lists_choices_is_a_combo():
    definition = read_node_definition("Odd", {"output": [["a", "b"]], "output_name": ["mode"]})

    assert definition.outputs == (NodeOutput(name="mode", type="COMBO"),)


@pytest.mark.parametrize(
    ("module", "package", "is_basic"),
    [
        ("nodes", None, True),
        ("comfy_extras.nodes_video", None, False),
        ("custom_nodes.my-pack", "my-pack", False),
        ("custom_nodes.pack.v2", "pack.v2", False),
        (None, None, False),
    ],
)
def test_the_package_is_told_from_the_module(module, package, is_basic):
    definition = read_node_definition("Any", {"python_module": module})

    assert (definition.package, definition.is_basic) == (package, is_basic)


def test_equal_choice_lists_share_one_copy(object_info):
    choice_lists = {}
    names = ("KSampler", "KSamplerAdvanced")
    lists = [
        given.choices
        for name in names
        for given in read_node_definition(name, object_info[name], choice_lists=choice_lists).inputs
        if given.name == "sampler_name"
    ]

    assert lists[0] is lists[1]


def test_a_list_of_texts_that_is_known_is_not_read_again():
    known = {("a", "b"): ("kept",)}
    info = {"input": {"required": {"one": (["a", "b"],), "other": (["a", "c"],)}}}
    inputs = read_node_definition("Pick", info, choice_lists=known).inputs

    assert [one.choices for one in inputs] == [("kept",), ("a", "c")]


def test_choices_that_are_equal_but_of_other_kinds_stay_what_they_are():
    info = {"input": {"required": {"flag": ([True, False],), "number": ([1, 0],), "real": ([1.0, 0.0],)}}}
    inputs = read_node_definition("Pick", info, choice_lists={}).inputs

    assert [repr(one.choices) for one in inputs] == ["(True, False)", "(1, 0)", "(1.0, 0.0)"]


def badge(expression: str, *widgets: str) -> dict[str, Any]:
    depends_on = {"widgets": [{"name": name, "type": "COMBO"} for name in widgets]}
    return {
        "api_node": True,
        "price_badge": {"engine": "jsonata", "depends_on": depends_on, "expr": expression},
    }


@pytest.mark.parametrize(
    ("info", "price"),
    [
        pytest.param({"category": "sampling"}, "", id="free"),
        pytest.param({"python_module": None}, "", id="without a module"),
        pytest.param({"category": "api node/image/BFL"}, "", id="a category that anybody may take"),
        pytest.param({"api_node": True}, "paid", id="told by itself"),
        pytest.param({"python_module": "comfy_api_nodes.nodes_bfl"}, "paid", id="told by its module"),
        pytest.param(badge('{"type":"usd","usd":0.06}'), "paid, $0.06/Run", id="one price"),
        pytest.param(
            badge('{"type": "usd", "usd": 0.5, "format": {"suffix": "/second", "approximate": true}}'),
            "paid, ~$0.5/second",
            id="with its own words",
        ),
        pytest.param(
            badge('{"type":"range_usd","min_usd":0.04,"max_usd":0.12}'), "paid, $0.04-$0.12/Run", id="a range"
        ),
        pytest.param(badge('{"type":"text","text":"Token-based"}'), "paid, Token-based", id="a text"),
        pytest.param(
            badge('{"type":"usd","usd": 0.05 * widgets.n}', "n", "quality"),
            "paid, by n, quality",
            id="computed",
        ),
        pytest.param({"api_node": True, "price_badge": {"expr": None}}, "paid", id="broken"),
        pytest.param({"api_node": True, "price_badge": {"expr": '{"usd": "x"}'}}, "paid", id="no number"),
    ],
)
def test_the_price_is_told_as_far_as_the_definition_tells_it(info: dict[str, Any], price: str) -> None:
    assert price_of(info) == price


@pytest.mark.parametrize("version", RECORDED)
def test_every_node_that_comfyui_sells_has_a_price(version: str) -> None:
    definitions = [read_node_definition(name, info) for name, info in RECORDED[version].items()]

    assert [definition.type for definition in definitions if not definition.price] == []


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


@pytest.mark.parametrize(
    ("one", "other", "shared", "fitting"),
    [
        ("IMAGE", "IMAGE", True, True),
        ("IMAGE", "MASK", False, False),
        ("IMAGE", "IMAGE,MASK", True, True),
        ("FLOAT, INT", "int,BOOLEAN", True, True),
        ("IMAGE", "*", False, True),
        ("*", "IMAGE", False, True),
        ("*", "*", True, True),
    ],
)
def test_slots_of_several_types_fit_by_any_of_them(one, other, shared, fitting):
    assert (shares_type(one, other), fits(one, other)) == (shared, fitting)

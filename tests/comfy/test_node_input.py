"""`contract/nodeInputs.json` is what both halves read of inputs that bring others: make contract."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_definition import read_node_definition
from comfyui_assistant.engine.comfy.node_input import (
    Growth,
    NodeInput,
    Option,
    as_choices,
    as_scalar,
    as_text,
    flatten_inputs,
)

CONTRACT = Path(__file__).parents[2] / "contract" / "nodeInputs.json"
RAW = json.loads((Path(__file__).parents[1] / "fixtures" / "node_inputs.json").read_text("utf-8"))


def test_the_committed_inputs_are_those_that_are_read() -> None:
    told = [f"{json.dumps(name)}: {_told(name, raw)}" for name, raw in RAW.items()]
    text = "{{\n{}\n}}\n".format(",\n".join(told))
    if os.environ.get("WRITE_CONTRACT"):
        CONTRACT.write_text(text, "utf-8")
    assert CONTRACT.read_text("utf-8") == text, "run make contract"


def _told(name: str, raw: dict[str, Any]) -> str:
    """One line for each input."""
    definition = read_node_definition(name, raw)
    inputs = ",\n  ".join(map(json.dumps, _inputs(definition.inputs)))
    outputs = [
        {"name": output.name, "type": output.type, **({"match": output.match} if output.match else {})}
        for output in definition.outputs
    ]
    return f'{{\n "raw": {json.dumps(raw)},\n "inputs": [\n  {inputs}\n ],\n "outputs": {json.dumps(outputs)}\n}}'


def _inputs(inputs: Iterable[NodeInput]) -> list[dict[str, Any]]:
    return [_input(given) for given in inputs]


def _input(given: NodeInput) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": given.name,
        "type": given.type,
        "isOptional": not given.required,
        "isWidget": given.is_widget,
    }
    if given.choices is not None:
        told["choices"] = given.choices
    if given.options is not None:
        told["options"] = [{"key": one.key, "inputs": _inputs(one.inputs)} for one in given.options]
    if given.grows is not None:
        growth = given.grows
        told["grows"] = {"names": growth.names, "least": growth.least, "each": _input(growth.each)}
    if given.match is not None:
        told["match"] = given.match
    return told


def read(spec: Any, *, section: str = "required") -> NodeInput:
    [given] = read_node_definition("Any", {"input": {section: {"x": spec}}}).inputs
    return given


def test_a_choice_with_inputs_reads_as_a_choice_and_names_them_in_full():
    spec = ["COMFY_DYNAMICCOMBO_V3", {"options": [_option("off"), _option("on", n=["INT", {"min": 1}])]}]

    assert read(spec) == NodeInput(
        "x",
        "COMBO",
        True,
        True,
        choices=("off", "on"),
        default="off",
        options=(Option("off", ()), Option("on", (NodeInput("x.n", "INT", True, True, minimum=1),))),
    )


def test_a_choice_in_a_choice_names_its_inputs_after_both():
    inner = ["COMFY_DYNAMICCOMBO_V3", {"options": [_option("b", n=["INT", {}])]}]
    given = read(["COMFY_DYNAMICCOMBO_V3", {"options": [_option("a", inner=inner)]}])

    assert [one.name for one in flatten_inputs([given])] == ["x", "x.inner", "x.inner.n"]


@pytest.mark.parametrize(
    ("template", "names"),
    [
        pytest.param({"prefix": "image", "max": 3}, ("x.image0", "x.image1", "x.image2"), id="numbered"),
        pytest.param({"names": ["a", "b"]}, ("x.a", "x.b"), id="named"),
    ],
)
def test_an_input_that_grows_reads_as_one_of_those_that_it_stands_for(template, names):
    given = read(["COMFY_AUTOGROW_V3", {"template": {**template, "input": {"required": {"one": ["IMAGE"]}}}}])

    assert given == NodeInput(
        "x", "IMAGE", True, False, grows=Growth(names, 1, NodeInput("x", "IMAGE", True, False))
    )


@pytest.mark.parametrize(
    ("section", "inner", "least", "expected"),
    [
        ("required", "required", 2, (True, 2)),
        ("required", "required", 0, (False, 0)),
        ("required", "optional", 2, (False, 0)),
        ("optional", "required", 2, (False, 2)),
        ("required", "required", 9, (True, 3)),
        ("required", "required", -1, (False, 0)),
    ],
)
def test_an_input_that_grows_is_required_where_one_of_it_is(section, inner, least, expected):
    template = {"prefix": "image", "min": least, "max": 3, "input": {inner: {"one": ["IMAGE", {}]}}}
    given = read(["COMFY_AUTOGROW_V3", {"template": template}], section=section)

    assert given.grows
    assert (given.required, given.grows.least) == expected


def test_a_node_has_the_inputs_of_the_option_that_is_chosen_and_all_that_may_grow():
    video = read_node_definition("SaveVideo", RAW["SaveVideo"])
    format_alone = ["video", "filename_prefix", "format", "format.codec"]
    shader = read_node_definition("GLSLShader", RAW["GLSLShader"])
    images = read_node_definition("BatchImagesNode", RAW["BatchImagesNode"])

    assert [slot.name for slot in video.slots()] == format_alone
    assert [slot.name for slot in video.slots({"format": "webm", "format.codec": "av1"})] == [
        *format_alone,
        "format.codec.encoding",
    ]
    assert [slot.name for slot in shader.slots({"size_mode": "custom"})] == [
        "size_mode",
        "size_mode.width",
        "size_mode.height",
        *("floats.u_float0", "floats.u_float1", "floats.u_float2"),
    ]
    assert [(slot.name, slot.required) for slot in images.slots()][:2] == [
        ("images.image0", True),
        ("images.image1", False),
    ]


def test_no_node_is_read_to_have_more_than_a_hundred_inputs_of_one():
    template = {"prefix": "image", "max": 10**9, "input": {"required": {"one": ["IMAGE"]}}}
    given = read(["COMFY_AUTOGROW_V3", {"template": template}])

    assert given.grows
    assert len(given.grows.names) == 100


def test_an_output_has_the_types_of_the_inputs_that_it_matches():
    switch = read_node_definition("ComfySwitchNode", RAW["ComfySwitchNode"])
    listed = read_node_definition("CreateList", RAW["CreateList"])

    assert [(one.type, one.match) for one in switch.inputs[1:]] == [("*", "switch")] * 2
    assert [(one.type, one.match) for one in (*switch.outputs, *listed.outputs)] == [
        ("*", "switch"),
        ("*", "type"),
    ]


def test_what_is_not_of_their_form_stays_a_plain_input():
    malformed = read_node_definition("Malformed", RAW["Malformed"])

    assert list(flatten_inputs(malformed.inputs)) == [*malformed.inputs]
    assert {one.type for one in malformed.inputs} == {
        "COMFY_DYNAMICCOMBO_V3",
        "COMFY_AUTOGROW_V3",
        "COMFY_MATCHTYPE_V3",
        "COMFY_DYNAMICSLOT_V3",
    }
    assert not any(one.is_widget or one.choices or one.match for one in malformed.inputs)


def _option(key: str, **inputs: Any) -> dict[str, Any]:
    return {"key": key, "inputs": {"required": inputs}}


@pytest.mark.parametrize(
    ("written", "expected"),
    [(None, ""), ("a\ud800", "a\N{REPLACEMENT CHARACTER}"), (7, "7"), ("x" * 3_000, "x" * 2_000)],
)
def test_whatever_is_written_becomes_a_text_of_some_length(written, expected):
    assert as_text(written) == expected


class Named(str, Enum):
    SMALL = "small one"


def test_a_member_of_an_enumeration_is_told_by_its_value():
    assert (as_text(Named.SMALL), as_scalar(Named.SMALL)) == ("small one", "small one")
    assert as_choices([Named.SMALL], None) == ("small one",)


@pytest.mark.parametrize(
    ("written", "expected"),
    [(True, True), (1, 1), (float("inf"), None), ("a", "a"), ({}, None), (None, None)],
)
def test_a_scalar_is_what_json_can_say(written, expected):
    assert as_scalar(written) is expected


def test_choices_that_are_no_scalars_are_told_as_text():
    assert as_choices(["a", 1, True, None, ["b"]], None) == ("a", 1, True, "", "['b']")

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.small_windows.call import BrowserCall, edit
from comfyui_assistant.engine.small_windows.flat_tools import (
    FLAT_FACTS,
    FLAT_NAMES,
    FLAT_TOOLS,
    browser_call,
    call_in_text,
)
from comfyui_assistant.engine.small_windows.open_workflow import Group

from .workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, TWO_SAMPLERS, node, workflow

GROUPED = replace(DEFAULT, groups=(Group("Prompts", ("6", "7")),))


@pytest.mark.parametrize(
    ("name", "arguments", "call"),
    [
        (
            "setValue",
            {"name": "steps", "value": "30"},
            BrowserCall("setNodeWidgetValue", {"node": "3", "widget": "steps", "value": "30"}),
        ),
        (
            "setValue",
            {"name": "negative prompt", "value": ""},
            BrowserCall("setNodeWidgetValue", {"node": "7", "widget": "text", "value": ""}),
        ),
        ("removeNode", {"node": "Save Image"}, BrowserCall("removeNode", {"node": "9"})),
        ("addNode", {"type": "Invert Image"}, BrowserCall("addNode", {"type": "ImageInvert"})),
        ("readNode", {"node": "3"}, BrowserCall("getWorkflowInfo", {"nodeIds": ["3"]})),
        (
            "insertNode",
            {"type": "ImageInvert", "where": "before", "node": "9"},
            edit({"op": "insert", "type": "ImageInvert", "to": "9.images"}),
        ),
        (
            "replaceNode",
            {"node": "9", "type": "PreviewImage"},
            edit({"op": "replace", "nodes": ["9"], "type": "PreviewImage"}),
        ),
        (
            "connectNodes",
            {"from": "8", "to": "9"},
            BrowserCall("connectNodes", {"fromNode": "8", "toNode": "9"}),
        ),
        (
            "connectNodes",
            {"from": "Load Checkpoint.VAE", "to": "8.vae"},
            BrowserCall(
                "connectNodes", {"fromNode": "4", "fromOutput": "VAE", "toNode": "8", "toInput": "vae"}
            ),
        ),
        (
            "setNodeMode",
            {"nodes": ["KSampler", "Prompts"], "mode": "bypass"},
            edit({"op": "mode", "nodes": ["3", "Prompts"], "mode": "bypass"}),
        ),
        (
            "setNodeMode",
            {"nodes": "KSampler", "mode": "mute"},
            edit({"op": "mode", "nodes": ["3"], "mode": "mute"}),
        ),
        (
            "groupNodes",
            {"nodes": ["8", "Save Image"], "title": "Output"},
            edit({"op": "group", "nodes": ["8", "9"], "title": "Output"}),
        ),
        (
            "tryValues",
            {"name": "cfg", "values": [4, "8"]},
            BrowserCall("executeWorkflow", {"vary": [{"node": "3", "widget": "cfg", "values": ["4", "8"]}]}),
        ),
        ("runWorkflow", {}, BrowserCall("executeWorkflow")),
    ],
)
def test_a_call_of_a_flat_tool_is_one_of_the_browsers(
    name: str, arguments: dict[str, Any], call: BrowserCall
) -> None:
    assert browser_call(name, arguments, GROUPED, ENVIRONMENT) == call


def test_every_flat_tool_becomes_a_call() -> None:
    arguments = {
        "name": "steps",
        "value": "1",
        "values": ["1"],
        "node": "9",
        "nodes": ["9"],
        "type": "PreviewImage",
        "where": "before",
        "from": "8",
        "to": "9",
        "mode": "mute",
        "title": "Output",
    }
    for tool in FLAT_TOOLS:
        given = {field: arguments[field] for field in tool.fields}
        if tool.name == "insertNode":
            given["type"] = "ImageInvert"
        assert isinstance(browser_call(tool.name, given, DEFAULT, ENVIRONMENT), BrowserCall), tool.name


@pytest.mark.parametrize(
    ("name", "arguments", "error", "hint"),
    [
        ("setValue", {"value": "30"}, "setValue needs name.", "It takes name, value."),
        ("removeNode", {"node": "the moon"}, 'There is no node "the moon".', "9 Save Image"),
        ("insertNode", {"type": "upscaler", "where": "before", "node": "9"}, '"upscaler"', "Near: "),
        (
            "insertNode",
            {"type": "ImageInvert", "where": "at", "node": "9"},
            'where is "at"',
            "before or after",
        ),
        (
            "setValue",
            {"name": "prompt", "value": "x"},
            "more than one",
            '"positive prompt", "negative prompt"',
        ),
    ],
)
def test_what_names_nothing_there_is_refused_with_what_there_is(
    name: str, arguments: dict[str, Any], error: str, hint: str
) -> None:
    result = browser_call(name, arguments, DEFAULT, ENVIRONMENT)
    assert not isinstance(result, BrowserCall)
    assert error in result["error"]
    assert hint in result["hint"]


def test_of_two_nodes_of_a_title_none_is_chosen_for_the_model() -> None:
    result = browser_call("removeNode", {"node": "Load LoRA"}, TWO_LORAS, ENVIRONMENT)
    assert not isinstance(result, BrowserCall)
    assert result["hint"] == 'Use one of these: "11 Load LoRA 1", "13 Load LoRA 2".'
    refused = browser_call("setValue", {"name": "steps", "value": 1}, TWO_SAMPLERS, ENVIRONMENT)
    assert not isinstance(refused, BrowserCall)


def test_a_value_of_a_type_that_is_not_there_is_refused_as_such() -> None:
    result = browser_call(
        "setValue", {"name": "LoraLoader.strength_model", "value": "1"}, DEFAULT, ENVIRONMENT
    )
    assert not isinstance(result, BrowserCall)
    assert result["error"] == "The open workflow has no LoraLoader."


def test_a_group_is_no_node_and_tells_those_that_lie_in_it() -> None:
    result = browser_call("readNode", {"node": "Prompts"}, GROUPED, ENVIRONMENT)
    assert not isinstance(result, BrowserCall)
    assert result["hint"] == "Name a node of it: 6 CLIP Text Encode (Prompt), 7 CLIP Text Encode (Prompt)."


def test_a_group_is_found_with_other_blanks_and_one_that_is_not_there_is_refused_with_those_that_are() -> (
    None
):
    call = browser_call("setNodeMode", {"nodes": ["prompts "], "mode": "mute"}, GROUPED, ENVIRONMENT)
    assert call == edit({"op": "mode", "nodes": ["Prompts"], "mode": "mute"})
    refused = browser_call("setNodeMode", {"nodes": ["Loaders"], "mode": "mute"}, GROUPED, ENVIRONMENT)
    assert not isinstance(refused, BrowserCall)
    assert refused["hint"].endswith('Groups: "Prompts".')


def test_nodes_of_two_graphs_are_not_linked_and_the_way_into_a_subgraph_is_told() -> None:
    inner = {"key": "S1", "name": "Decode", "nodes": [node(8, "VAEDecode")], "groups": [], "inputs": []}
    found = workflow(node(75, "S1"), node(4, "VAELoader"), subgraphs=[inner])
    result = browser_call("connectNodes", {"from": "4", "to": "75:8.vae"}, found, ENVIRONMENT)
    assert not isinstance(result, BrowserCall)
    assert "lie in different graphs" in result["error"]
    assert "insertNode" in result["hint"]


def test_a_title_with_a_full_stop_is_no_slot() -> None:
    named = workflow(node(1, "KSampler", title="v1.5 base"), node(2, "VAEDecode"))
    call = browser_call("connectNodes", {"from": "v1.5 base", "to": "2.samples"}, named, ENVIRONMENT)
    assert call == BrowserCall("connectNodes", {"fromNode": "1", "toNode": "2", "toInput": "samples"})


def test_without_a_workflow_only_what_needs_none_can_be_called() -> None:
    assert browser_call("runWorkflow", {}, None, ENVIRONMENT) == BrowserCall("executeWorkflow")
    assert not isinstance(browser_call("removeNode", {"node": "3"}, None, ENVIRONMENT), BrowserCall)


def test_in_an_empty_workflow_nothing_is_named() -> None:
    result = browser_call("setValue", {"name": "steps", "value": "1"}, workflow(), ENVIRONMENT)
    assert not isinstance(result, BrowserCall)
    assert "is empty" in result["hint"]


def test_every_tool_has_its_schema_and_its_facts() -> None:
    assert {tool.schema()["function"]["name"] for tool in FLAT_TOOLS} == FLAT_NAMES == FLAT_FACTS.keys()
    assert all(tool.schema()["function"]["parameters"]["required"] == [*tool.fields] for tool in FLAT_TOOLS)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ('{"name": "steps", "value": "30"}', ("setValue", {"name": "steps", "value": "30"})),
        ('```json\n{"name": "steps", "value": 30}\n```', ("setValue", {"name": "steps", "value": 30})),
        ('{"node": "3"}', None),
        ("Set the steps.", None),
        ('["steps"]', None),
    ],
)
def test_a_text_that_is_nothing_but_arguments_is_the_call_of_the_only_tool_with_these(
    text: str, call: tuple[str, dict[str, Any]] | None
) -> None:
    assert call_in_text(text) == call

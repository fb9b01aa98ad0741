from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.plain.call import BrowserCall, edit
from comfyui_assistant.engine.plain.tools import (
    PLAIN_FACTS,
    PLAIN_NAMES,
    PLAIN_TOOLS,
    browser_call,
    call_in_text,
)

from .workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, workflow

EMPTY = workflow()


@pytest.mark.parametrize(
    ("name", "arguments", "call"),
    [
        (
            "setValue",
            {"name": "steps", "value": "30"},
            BrowserCall("setNodeWidgetValue", {"node": "3", "widget": "steps", "value": "30"}),
        ),
        ("removeNode", {"node": "Save Image"}, BrowserCall("removeNode", {"node": "9"})),
        ("addNode", {"type": "Invert Image"}, BrowserCall("addNode", {"type": "ImageInvert"})),
        ("addNode", {"type": "qqqq"}, BrowserCall("addNode", {"type": "qqqq"})),
        (
            "insertNode",
            {"type": "ImageInvert", "where": "before", "node": "9"},
            edit({"op": "insert", "type": "ImageInvert", "to": "9.images"}),
        ),
        (
            "connectNodes",
            {"from": "8", "to": "9"},
            BrowserCall("connectNodes", {"fromNode": "8", "toNode": "9"}),
        ),
        (
            "bypassNode",
            {"node": "KSampler", "mode": "bypassed"},
            edit({"op": "mode", "nodes": ["3"], "mode": "bypass"}),
        ),
        ("bypassNode", {"node": "3", "mode": "on"}, edit({"op": "mode", "nodes": ["3"], "mode": "active"})),
        ("runWorkflow", {}, BrowserCall("executeWorkflow")),
    ],
)
def test_a_call_in_plain_words_is_one_of_the_browsers(
    name: str, arguments: dict[str, Any], call: BrowserCall
) -> None:
    assert browser_call(name, arguments, DEFAULT, ENVIRONMENT) == call


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("setValue", {"value": "30"}),
        ("removeNode", {}),
        ("removeNode", {"node": "the moon"}),
        ("insertNode", {"type": "x"}),
    ],
)
def test_a_call_that_lacks_something_says_what(name: str, arguments: dict[str, Any]) -> None:
    result = browser_call(name, arguments, DEFAULT, ENVIRONMENT)
    assert not isinstance(result, BrowserCall)
    assert result["hint"]


def test_a_node_goes_where_the_person_said_even_if_the_model_left_it_away() -> None:
    request = "add a LoRA between the checkpoint and the sampler"
    call = browser_call("addNode", {"type": "LoRALoaderSimple"}, DEFAULT, ENVIRONMENT, request)
    assert call == edit({"op": "insert", "type": "LoraLoader", "to": "3.model"})
    alone = browser_call("addNode", {"type": "LoraLoader"}, DEFAULT, ENVIRONMENT, "add a LoRA")
    assert alone == BrowserCall("addNode", {"type": "LoraLoader"})


@pytest.mark.parametrize(
    ("request_", "said", "mode"),
    [
        ("mute the Save Image node", "bypass", "mute"),
        ("bypass node 9", "mute", "bypass"),
        ("unmute Save Image", "mute", "active"),
        ("switch Save Image on again", "on", "active"),
        ("only node 9 off", "bypass", "bypass"),
    ],
)
def test_a_mode_is_the_one_that_the_person_calls_it(request_: str, said: str, mode: str) -> None:
    call = browser_call("bypassNode", {"node": "9", "mode": said}, DEFAULT, ENVIRONMENT, request_)
    assert call == edit({"op": "mode", "nodes": ["9"], "mode": mode})


def test_what_only_shows_or_saves_is_added_behind_what_there_is_to_show() -> None:
    call = browser_call("addNode", {"type": "Image Preview"}, DEFAULT, ENVIRONMENT, "add a preview")
    assert call == edit({"op": "add", "type": "PreviewImage", "inputs": {"images": "8.IMAGE"}})


def test_a_text_may_be_set_to_nothing() -> None:
    call = browser_call("setValue", {"name": "negative prompt", "value": ""}, DEFAULT, ENVIRONMENT)
    assert call == BrowserCall("setNodeWidgetValue", {"node": "7", "widget": "text", "value": ""})


def test_without_a_workflow_only_what_needs_none_can_be_called() -> None:
    assert browser_call("runWorkflow", {}, None, ENVIRONMENT) == BrowserCall("executeWorkflow")
    assert not isinstance(browser_call("removeNode", {"node": "3"}, None, ENVIRONMENT), BrowserCall)


def test_every_tool_has_its_schema_and_its_facts() -> None:
    assert {tool.schema()["function"]["name"] for tool in PLAIN_TOOLS} == PLAIN_NAMES == PLAIN_FACTS.keys()
    assert all(tool.schema()["function"]["parameters"]["required"] == [*tool.fields] for tool in PLAIN_TOOLS)


@pytest.mark.parametrize("name", ["setValue", "runWorkflow", "removeNode"])
def test_in_an_empty_workflow_the_way_to_make_something_is_told(name: str) -> None:
    arguments = {"name": "prompt", "value": "red", "node": "3"}
    result = browser_call(name, arguments, EMPTY, ENVIRONMENT)
    assert not isinstance(result, BrowserCall)
    assert "runNewWorkflow" in result["hint"]


def test_the_node_and_the_place_that_the_person_named_go_before_those_of_the_model() -> None:
    removed = browser_call("removeNode", {"node": "3"}, DEFAULT, ENVIRONMENT, "remove the Save Image node")
    assert removed == BrowserCall("removeNode", {"node": "9"})
    arguments = {"type": "ImageInvert", "where": "before", "node": "3"}
    inserted = browser_call("insertNode", arguments, DEFAULT, ENVIRONMENT, "invert it after the VAE Decode")
    assert inserted == edit({"op": "insert", "type": "ImageInvert", "to": "9.images"})


@pytest.mark.parametrize("said", ["Load LoRA", "11", "13"])
def test_of_two_nodes_of_a_title_it_is_the_one_that_the_person_told_apart(said: str) -> None:
    call = browser_call("removeNode", {"node": said}, TWO_LORAS, ENVIRONMENT, "remove the second LoRA")
    assert call == BrowserCall("removeNode", {"node": "13"})


def test_no_node_goes_that_was_not_spoken_of() -> None:
    request = "i want a dragon on a castle instead, keep everything else"
    hint = 'Call setValue {"name": "positive prompt", "value": "a dragon on a castle"}.'
    assert browser_call("removeNode", {"node": "8"}, DEFAULT, ENVIRONMENT, request) == {
        "ok": False,
        "error": "Nothing was removed: the user did not speak of VAE Decode (node 8).",
        "hint": hint,
    }
    call = browser_call("removeNode", {"node": "8"}, DEFAULT, ENVIRONMENT, "take the VAE decode out")
    assert call == BrowserCall("removeNode", {"node": "8"})


def test_more_steps_are_set_once_and_nothing_is_run_for_them() -> None:
    first = browser_call("runWorkflow", {}, DEFAULT, ENVIRONMENT, "more steps")
    assert isinstance(first, BrowserCall)
    assert first.input == {"node": "3", "widget": "steps", "value": "30"}
    assert not isinstance(
        browser_call("runWorkflow", {}, DEFAULT, ENVIRONMENT, "more steps", is_fresh=False),
        BrowserCall,
    )
    assert not isinstance(
        browser_call("runWorkflow", {}, DEFAULT, ENVIRONMENT, "make it wider", is_fresh=False), BrowserCall
    )


@pytest.mark.parametrize(
    ("request_", "input_"),
    [
        ("run it 3 times", {"randomSeeds": 3}),
        ("generate it twice", {"randomSeeds": 2}),
        ("starte es dreimal", {"randomSeeds": 3}),
        ("run it 1 time", {}),
        ("run it", {}),
    ],
)
def test_a_workflow_runs_as_often_as_it_was_said(request_: str, input_: dict[str, int]) -> None:
    assert browser_call("runWorkflow", {}, DEFAULT, ENVIRONMENT, request_) == BrowserCall(
        "executeWorkflow", input_
    )


def test_the_fields_of_a_call_tell_its_tool_where_its_name_is_not_written() -> None:
    for tool in PLAIN_TOOLS:
        arguments = dict.fromkeys(tool.fields, "3")
        assert call_in_text(json.dumps(arguments)) == ((tool.name, arguments) if arguments else None)
    for text in (
        "steps = 30",
        "{}",
        "[]",
        '{"name": "steps"}',
        '{"name": "a", "value": {"b": 1}}',
        '{"node": 3',
    ):
        assert call_in_text(text) is None

from __future__ import annotations

import asyncio
import json
import logging

import pytest
from comfyui_assistant.engine.comfy.scan import ScanUnfinished
from comfyui_assistant.engine.tools.tool import ServerTool, failure, run_server_tool, success

from .basket import Basket


async def _run(arguments: Basket, _services):
    return success(f"Basket {arguments.name}.", arguments.model_dump())


basket = ServerTool(name="basket", description="Fill a basket.", input=Basket, run=_run, label="Fill")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param({}, "basket: name is missing; expected a text.", id="a missing argument"),
        pytest.param(
            {"name": 1, "weight": "much"},
            'basket: name is 1; expected a text. weight is "much"; expected a number.',
            id="two wrong ones",
        ),
        pytest.param([], "basket got arguments that are no JSON object.", id="a list"),
    ],
)
async def test_arguments_that_do_not_fit_are_named(services, arguments, error):
    result = await run_server_tool(basket, arguments, services)

    assert result == {
        "ok": False,
        "error": error,
        "hint": "Expected arguments: name, fruits?, best?, weight?, title?.",
    }


@pytest.mark.parametrize(
    ("arguments", "instead"),
    [
        ({"title": "A", "label": "a"}, {"title": "A", "name": "a"}),
        ({"label": 1}, None),
        ({"labels": ["a"]}, {"name": "a"}),
        ({"labels": ["a", "b"]}, None),
        ({"labels": []}, None),
        ({"label": "a", "colour": "red"}, None),
        ({"name": "a", "weight": "much", "label": "a"}, None),
    ],
)
async def test_an_argument_under_another_name_is_offered_under_the_one_that_is_missing(
    services, arguments, instead
):
    result = await run_server_tool(basket, arguments, services)

    assert result["ok"] is False
    assert result.get("sendInstead") == instead


async def test_what_a_refused_call_has_beyond_its_arguments_is_told(services):
    async def refuse(_arguments, _services):
        return failure("No.", "Ask.")

    tool = ServerTool(name="basket", description="", input=Basket, run=refuse, label="")
    result = await run_server_tool(tool, {"name": "a", "colour": "red"}, services)

    assert result["hint"] == "Ask. basket has no colour: that was ignored."


async def test_null_counts_as_left_out(services):
    result = await run_server_tool(basket, {"name": "a", "fruits": None}, services)

    assert result["ok"]
    assert result["data"]["fruits"] == []


async def test_arguments_that_a_tool_does_not_have_are_told_unless_they_are_empty(services):
    result = await run_server_tool(
        basket, {"name": "a", "colour": "red", "handle": 0, "ribbon": "", "notes": []}, services
    )

    assert result["summary"] == "Basket a. basket has no colour, handle: that was ignored."
    assert result["data"]["notUsed"] == ["colour", "handle"]


async def test_there_is_room_for_telling_what_was_not_used(services):
    rooms = []

    async def look(_arguments, services):
        rooms.append(services.room.tokens)
        return success("Looked.", {})

    tool = ServerTool(name="basket", description="", input=Basket, run=look, label="Fill")
    await run_server_tool(tool, {"name": "a"}, services)
    await run_server_tool(tool, {"name": "a", "colour": "red"}, services)

    assert rooms[0] == services.room.tokens > rooms[1]


async def test_an_exception_becomes_a_result_and_a_log_entry_without_the_details(services, caplog):
    async def fail(_arguments, _services):
        raise KeyError("/home/someone/secret")

    tool = ServerTool(name="basket", description="", input=Basket, run=fail, label="Fill")
    with caplog.at_level(logging.ERROR):
        result = await run_server_tool(tool, {"name": "a"}, services)

    assert result["error"] == "basket failed inside ComfyUI Assistant (KeyError)."
    assert "secret" not in json.dumps(result)
    assert "/home/someone/secret" in caplog.text


async def test_a_scan_that_does_not_end_names_the_node_type(services):
    async def fail(_arguments, _services):
        raise ScanUnfinished("Hanging", 30)

    tool = ServerTool(name="basket", description="", input=Basket, run=fail, label="Fill")
    result = await run_server_tool(tool, {"name": "a"}, services)

    assert result["error"] == 'After 30 s ComfyUI is still describing the node type "Hanging".'


async def test_cancellation_passes_through(services):
    async def wait(_arguments, _services):
        await asyncio.Event().wait()

    tool = ServerTool(name="basket", description="", input=Basket, run=wait, label="Fill")
    call = asyncio.create_task(run_server_tool(tool, {"name": "a"}, services))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

from __future__ import annotations

import asyncio
import json
import logging
from typing import Literal

import pytest
from comfyui_assistant.engine.environment.scan import ScanUnfinished
from comfyui_assistant.engine.tools import SERVER_TOOLS
from comfyui_assistant.engine.tools.tool import ServerTool, run_server_tool, success
from pydantic import BaseModel, Field


class Fruit(BaseModel):
    kind: Literal["apple", "pear"] = "apple"


class Basket(BaseModel):
    """A docstring that no model needs to read."""

    name: str = Field(description="Name.")
    fruits: list[Fruit] = Field(default=[])
    best: Fruit | None = None
    weight: float | None = Field(default=None, description="Kilograms.")
    title: str | int = "none"


async def _run(arguments: Basket, _services):
    return success(f"Basket {arguments.name}.", arguments.model_dump())


basket = ServerTool(name="basket", description="Fill a basket.", input=Basket, run=_run, label="Fill")


def test_a_schema_says_what_is_needed_and_nothing_more():
    fruit = {
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": ["apple", "pear"], "default": "apple"}},
    }

    assert basket.schema() == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Name."},
            "fruits": {"type": "array", "items": fruit, "default": []},
            "best": fruit,
            "weight": {"type": "number", "description": "Kilograms."},
            "title": {"default": "none", "anyOf": [{"type": "string"}, {"type": "integer"}]},
        },
        "required": ["name"],
    }


@pytest.mark.parametrize("tool", SERVER_TOOLS, ids=lambda tool: tool.name)
def test_every_schema_is_plain_enough_for_every_provider(tool):
    written = json.dumps(tool.schema())

    for refused in ("$", "additionalProperties", '"title"', "anyOf", "maxLength", "maxItems", "null"):
        assert refused not in written
    assert written == json.dumps(tool.schema())
    assert len(tool.description) < 100


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param({}, 'basket: argument "name": Field required.', id="a missing argument"),
        pytest.param(
            {"name": 1, "weight": "much"},
            'basket: argument "name": Input should be a valid string; '
            'argument "weight": Input should be a valid number, unable to parse string as a number.',
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


async def test_null_counts_as_left_out_and_unknown_arguments_are_ignored(services):
    result = await run_server_tool(basket, {"name": "a", "fruits": None, "colour": "red"}, services)

    assert result["ok"]
    assert result["data"]["fruits"] == []


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

from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.tools import SERVER_TOOLS
from comfyui_assistant.engine.tools.parameters import minimal_parameters
from pydantic import BaseModel, Field

from .basket import Basket, Fruit


def test_a_schema_says_what_is_needed_and_nothing_more():
    fruit = {
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": ["apple", "pear"], "default": "apple"}},
    }

    assert minimal_parameters(Basket) == {
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


class Nothing(BaseModel):
    """Not an argument."""


class Step(BaseModel):
    """Arguments with names that mean something in a schema."""

    title: str
    default: int | None = None
    steps: list[Fruit] | None = Field(default=None, description="More.")


def test_a_tool_without_arguments_has_an_empty_object():
    assert minimal_parameters(Nothing) == {"type": "object", "properties": {}}


def test_an_argument_may_be_called_like_a_word_of_the_schema():
    schema: Any = minimal_parameters(Step)
    assert schema["required"] == ["title"]
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["default"] == {"type": "integer"}
    assert schema["properties"]["steps"] == {
        "type": "array",
        "description": "More.",
        "items": minimal_parameters(Fruit),
    }

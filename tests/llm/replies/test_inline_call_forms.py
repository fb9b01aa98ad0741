"""What a written call says, in each form that has something of its own."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.replies.inline_call_forms import calls_in

PARAMETERS: dict[str, Any] = {
    "setValue": {
        "properties": {
            "name": {"type": "string"},
            "value": {"type": "number"},
            "quiet": {"type": "boolean"},
            "any": {},
        },
        "required": ["name"],
    },
    "look": {},
}


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("<parameter=name>12</parameter><parameter=value>30</parameter>", {"name": "12", "value": 30}),
        ("<parameter=name>a\n  b</parameter>\n", {"name": "a\n  b"}),
        ("<parameter=name>a</parameter><parameter=quiet>true</parameter>", {"name": "a", "quiet": True}),
        ("<parameter=name>a</parameter><parameter=any>[1]</parameter>", {"name": "a", "any": [1]}),
        ("<parameter=name>a</parameter><parameter=value>NaN</parameter>", {"name": "a", "value": "NaN"}),
    ],
)
def test_tagged_arguments_become_what_the_schema_asks_for(written: str, arguments: dict[str, Any]) -> None:
    assert calls_in(f"<function=setValue>{written}</function>", PARAMETERS) == [("setValue", arguments)]


@pytest.mark.parametrize("name", ["arguments", "parameters", "args", "input"])
def test_each_name_for_the_arguments_is_known(name: str) -> None:
    written = f'{{"name": "setValue", "{name}": {{"name": "steps"}}}}'
    assert calls_in(written, PARAMETERS) == [("setValue", {"name": "steps"})]


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "setValue"}',
        '{"name": "setValue", "arguments": [1]}',
        '{"name": "setValue", "arguments": {"name": "a", "other": 1}}',
        '{"name": ["look"]}',
        "<function=look>and then</function>",
        "<function=look></function> I did.",
        "<tool_call>look</tool_call>",
        "<tool_call>look<arg_key>a</arg_key></tool_call>",
        "{" * 100_000,
        "[]",
        "",
    ],
)
def test_what_is_no_whole_and_valid_call_makes_none_of_them(written: str) -> None:
    assert calls_in(written, PARAMETERS) == []
    assert calls_in(f'{{"name": "look"}} {written}', PARAMETERS) == ([("look", {})] if not written else [])

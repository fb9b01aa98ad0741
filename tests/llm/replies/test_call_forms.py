"""What a text of calls says: their names, and their arguments by the types of the tools' schemas."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.replies.call_forms import read_calls

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
    assert read_calls(f"<function=setValue>{written}</function>", PARAMETERS) == [("setValue", arguments)]


@pytest.mark.parametrize("name", ["arguments", "parameters", "args", "input"])
def test_each_name_for_the_arguments_is_known(name: str) -> None:
    written = f'{{"name": "setValue", "{name}": {{"name": "steps"}}}}'
    assert read_calls(written, PARAMETERS) == [("setValue", {"name": "steps"})]


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "setValue", "arguments": [1]}',
        '{"name": ["look"]}',
        "<function=look>and then</function>",
        "<function=look></function> I did.",
        "<tool_call>look<arg_key>a</arg_key></tool_call>",
        "{" * 100_000,
        "[]",
    ],
)
def test_what_is_no_whole_call_makes_none_of_them(written: str) -> None:
    for text in (written, f'{{"name": "look"}} {written}'):
        with pytest.raises(ValueError, match=r"."):
            read_calls(text, PARAMETERS)


def test_nothing_is_no_call() -> None:
    with pytest.raises(ValueError, match="no call"):
        read_calls("", PARAMETERS)

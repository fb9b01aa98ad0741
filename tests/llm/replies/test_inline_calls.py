"""Calls that stand in the text of a reply: which are made, and what is text and stays it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import (
    ReasoningDelta,
    ReplyFinished,
    StepReset,
    TextDelta,
    ToolCall,
    ToolCallStarted,
)
from comfyui_assistant.engine.base.messages import dump
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.replies.inline_calls import InlineCalls, calls_in
from comfyui_assistant.engine.llm.replies.tool_calls import parse_arguments

from dev.scripted.provider import ScriptedProvider

from ..reading import shown

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


def tool(name: str, **properties: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {each: {"type": kind} for each, kind in properties.items()},
        "required": [each for each, kind in properties.items() if kind == "string"],
    }
    return {"type": "function", "function": {"name": name, "parameters": schema}}


TOOLS = [tool("search", query="string", limit="integer"), tool("look")]
SEARCH = ("search", {"query": "save"})
LOOK = ("look", {})
OBJECT = '{"name": "search", "arguments": {"query": "save"}}'
OF_LLAMA = '{"type": "function", "name": "search", "parameters": {"query": "save"}}'
FORMS = {
    "Hermes and Qwen": f"<tool_call>\n{OBJECT}\n</tool_call>",
    "never closed": f"<tool_call>\n{OBJECT}",
    "two of Hermes": f'<tool_call>{OBJECT}</tool_call>\n<tool_call>\n{{"name": "look"}}\n</tool_call>\n',
    "Mistral's list": f"[TOOL_CALLS] [{OBJECT}]",
    "Mistral's names": '[TOOL_CALLS]search[ARGS]{"query": "save"}[TOOL_CALLS]look[ARGS]{}',
    "Mistral's ids": '[TOOL_CALLS]search[CALL_ID]abcdefghi[ARGS]{"query": "save"}',
    "Llama": f"<|python_tag|>{OF_LLAMA}",
    "two of Llama": f'<|python_tag|>{OF_LLAMA}; {{"name": "look", "parameters": {{}}}}',
    "a lone object": f"{OF_LLAMA}\n",
    "a fence": f"```json\n{OBJECT}\n```\n",
    "a fence without a language": f"```\n{OBJECT}\n```",
    "a fence with a list": f"```tool_call\n[{OBJECT}]\n```",
    "OpenAI's object": '```json\n{"function": {"name": "search", "arguments": "{\\"query\\": \\"save\\"}"}}\n```',
    "a Llama function": '<function=search>{"query": "save"}</function>',
    "Qwen Coder": "<tool_call>\n<function=search>\n<parameter=query>\nsave\n</parameter>\n</function>\n</tool_call>",
    "MiniMax": '<minimax:tool_call><invoke name="search"><parameter name="query">save</parameter></invoke>'
    "</minimax:tool_call>",
    "a lone invocation": '<invoke name="search"><parameter name="query">save</parameter></invoke>',
    "GLM": "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>save</arg_value>\n</tool_call>",
}


def read(*pieces: Any, tools: Any = TOOLS, reason: Any = "stop", calls: Any = ()) -> list[Any]:
    numbers = itertools.count(1)
    written = InlineCalls(tools, lambda: f"id{next(numbers)}")
    given = [TextDelta(piece) if isinstance(piece, str) else piece for piece in pieces]
    events = [*given, ReplyFinished(reason, calls, None)]
    return [left for event in events for left in written.feed(event)]


def made(events: list[Any]) -> list[tuple[str, Any]]:
    return [(call.name, parse_arguments(call.arguments)) for call in events[-1].calls]


@pytest.mark.parametrize("size", [1, 3, 7, 1_000])
@pytest.mark.parametrize("form", FORMS)
def test_a_call_is_made_in_whatever_form_and_pieces_it_is_written(form: str, size: int) -> None:
    before = "" if form == "a lone object" else "I will look.\n\n"
    text = before + FORMS[form]
    events = read(*(text[start : start + size] for start in range(0, len(text), size)))
    assert made(events)[0] == SEARCH
    assert made(events)[1:] in ([], [LOOK])
    assert shown(events)[0].strip() == before.strip()
    assert events[-1].reason == "tool-calls"
    assert [each.call_id for each in events if isinstance(each, ToolCallStarted)] == [
        call.call_id for call in events[-1].calls
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"Such a call looks so:\n<tool_call>{OBJECT}</tool_call>\nIt searches.",
        '<tool_call>{"name": "format", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "search", "arguments": {"wrong": 1}}</tool_call>',
        '<tool_call>{"name": "search", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "search", "arguments": {"query": "sa</tool_call>',
        f"<tool_call>{OBJECT} and more</tool_call>",
        f'<tool_call>{OBJECT}</tool_call><tool_call>{{"name": "format"}}</tool_call>',
        '```json\n{"3": {"class_type": "KSampler", "inputs": {}}}\n```\nThat is the workflow.',
        "```python\nprint('hello')\n```\n",
        "Use `a < b` and ```x``` [TOOL",
        '{"answer": 42}',
        "[TOOL_CALLS] are what Mistral writes.",
        "<function=search>nothing</function>",
        f"```json\n{OBJECT}\n```\n```json\n{{}}\n```",
        "[" * 5_000,
        "<tool_call>" + "[" * 100_000,
        "",
    ],
)
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_what_is_no_call_for_certain_stays_text_to_the_letter(text: str, size: int) -> None:
    events = read(*(text[start : start + size] for start in range(0, len(text), size)))
    assert shown(events)[0] == text
    assert events[-1] == ReplyFinished("stop", (), None)


def test_what_stands_in_an_argument_is_left_as_it_is() -> None:
    for query in ("```json\n[TOOL_CALLS]", "<function", "a\n\n; b", "<tool_call>"):
        written = f"<tool_call>{dump({'name': 'search', 'arguments': {'query': query}})}</tool_call>"
        assert made(read(written)) == [("search", {"query": query})]


def test_a_call_longer_than_what_is_held_back_is_text() -> None:
    for length, is_made in ((60_000, True), (70_000, False)):
        text = f"<tool_call>{OBJECT.replace('save', 'a' * length)}</tool_call>"
        events = read(text)
        assert (bool(made(events)), shown(events)[0]) == (is_made, "" if is_made else text)


def test_code_is_shown_while_it_is_written() -> None:
    numbers = itertools.count(1)
    written = InlineCalls(TOOLS, lambda: f"id{next(numbers)}")
    pieces = ["See:\n```py", "thon\n", "print(1)\n", "print(2)\n"]
    assert [written.feed(TextDelta(piece)) for piece in pieces][2:] == [
        [TextDelta("```python\nprint(1)\n")],
        [TextDelta("print(2)\n")],
    ]


def test_a_reply_that_was_cut_says_so_with_its_call() -> None:
    assert read(FORMS["Hermes and Qwen"], reason=None)[-1].reason is None
    assert read(FORMS["Hermes and Qwen"], reason="length")[-1].reason == "length"


def test_structured_calls_leave_the_text_as_it_is() -> None:
    call = ToolCall("c", "look", "{}", "c")
    events = read(f"<tool_call>{OBJECT}</tool_call>", ToolCallStarted("c", "look"), calls=(call,))
    assert shown(events)[0] == f"<tool_call>{OBJECT}</tool_call>"
    assert events[-1].calls == (call,)


def test_what_was_read_before_a_step_began_anew_counts_no_more() -> None:
    reasoning = ReasoningDelta("so")
    events = read(f"<tool_call>{OBJECT}", StepReset(), reasoning, "Hello.")
    assert events == [StepReset(), reasoning, TextDelta("Hello."), ReplyFinished("stop", (), None)]


async def heard(
    scenario: Any, chunking: str = "events", *, times: int = 1, is_near: bool = True
) -> list[list[Any]]:
    """The events of each reply, to the same request."""
    async with ScriptedProvider(scenario, chunking=chunking, pace=0) as provider:
        client = ChatClient()
        endpoint = Endpoint(provider.base_url, "scripted", is_local=is_near)
        offered = [tool("searchInstalledNodes", query="string"), tool("getNodeInfo")]
        replies: list[list[Any]] = []
        for _ in range(times):
            stream = client.stream(endpoint, [{"role": "user", "content": "find the save node"}], offered)
            replies.append([event async for event in stream])
        await client.close()
        return replies


@pytest.mark.parametrize("chunking", ["events", "whole", "bytes", "random:1"])
@pytest.mark.parametrize(
    "scenario",
    [
        "q24-call-as-text",
        "q24-call-as-text-mistral",
        "q24-call-as-text-llama",
        "q24-call-as-text-fence",
        "q24-call-as-text-xml",
    ],
)
async def test_a_server_that_leaves_calls_in_the_text_is_understood(scenario: str, chunking: str) -> None:
    [events] = await heard(f"dialects/{scenario}", chunking)
    assert made(events) == [("searchInstalledNodes", {"query": "save"})]
    assert "save" not in shown(events)[0]


async def test_a_server_that_has_sent_a_call_is_taken_by_its_word_from_then_on() -> None:
    text = '<tool_call>{"name": "searchInstalledNodes", "arguments": {"query": "save"}}</tool_call>'
    replies = [
        [{"call": "searchInstalledNodes", "arguments": {"query": "save"}}],
        [{"say": [text]}],
    ]
    scenario = {"about": "A test.", "steps": [{"attempts": [{"reply": reply} for reply in replies]}]}
    first, second = await heard(scenario, times=2)
    assert made(first) == [("searchInstalledNodes", {"query": "save"})]
    assert made(second) == []
    assert shown(second)[0] == text


@pytest.mark.parametrize("chunking", ["events", "bytes"])
async def test_elsewhere_a_call_in_the_text_is_made_only_after_such_a_reply_was_there_before(
    chunking: str,
) -> None:
    text = '<tool_call>{"name": "searchInstalledNodes", "arguments": {"query": "save"}}</tool_call>'
    replies: list[Any] = [[{"say": ["Hello."]}], [{"say": [text]}], [{"say": [text]}]]
    replies += [[{"call": "searchInstalledNodes", "arguments": {"query": "save"}}], [{"say": [text]}]]
    scenario = {"about": "A test.", "steps": [{"attempts": [{"reply": reply} for reply in replies]}]}
    heard_there = await heard(scenario, chunking, times=5, is_near=False)
    call = [("searchInstalledNodes", {"query": "save"})]
    assert [made(reply) for reply in heard_there] == [[], [], call, call, []]
    assert [shown(reply)[0] for reply in heard_there] == ["Hello.", text, "", "", text]


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

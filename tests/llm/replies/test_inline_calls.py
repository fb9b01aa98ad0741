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
from comfyui_assistant.engine.llm.replies.inline_calls import UNREAD, InlineCalls
from comfyui_assistant.engine.llm.replies.tool_calls import parse_arguments

from dev.scripted.provider import ScriptedProvider

from ..reading import shown


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
    "Qwen3-Coder": "<tool_call>\n<function=search>\n<parameter=query>\nsave\n</parameter>\n</function>\n</tool_call>",
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>"
    '{"query": "save"}<|tool_call_end|><|tool_call_begin|>functions.look:1<|tool_call_argument_begin|>{}'
    "<|tool_call_end|><|tool_calls_section_end|>",
    "DeepSeek R1": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n"
    '{"query": "save"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    "DeepSeek V3.1": '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query": "save"}'
    "<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>look<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "DeepSeek V3.2": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" '
    'string="true">save</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    "DeepSeek V4": '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" '
    'string="true">save</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="look">\n</｜DSML｜invoke>\n'
    "</｜DSML｜tool_calls>",
    "harmony": "<|channel|>commentary to=functions.search <|constrain|>json<|message|>"
    '{"query": "save"}<|call|>',
    "harmony with its role": "<|start|>assistant to=functions.search<|channel|>commentary json<|message|>"
    '{"query": "save"}<|call|>',
    "harmony behind a thought": "<|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json"
    '<|message|>{"query": "save"}<|call|>',
    "harmony in its thoughts' channel": "<|channel|>analysis to=functions.search code<|message|>"
    '{"query": "save"}<|call|>',
    "GLM": "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>save</arg_value>\n</tool_call>",
    "GLM without arguments": "<tool_call>search<arg_key>query</arg_key><arg_value>save</arg_value></tool_call>"
    "<tool_call>look\n</tool_call>",
    "MiniMax M1": f'<tool_calls>\n{OBJECT}\n{{"name": "look", "arguments": {{}}}}\n</tool_calls>',
    "MiniMax M2": '<minimax:tool_call><invoke name="search"><parameter name="query">save</parameter></invoke>'
    "</minimax:tool_call>",
    "LFM2": '<|tool_call_start|>[search(query="save"), look()]<|tool_call_end|>',
    "Granite": f"<|tool_call|>[{OBJECT}]",
    "Phi": f"<|tool_call|>[{OBJECT}]<|/tool_call|>",
    "Gemma 3": '```tool_code\nsearch(query="save")\nlook()\n```',
    "Gemma 3 in a list": "```tool_code\n[search(query='save')]\n```",
    "Gemma 4": '<|tool_call>call:search{query:<|"|>save<|"|>}<tool_call|><|tool_call>call:look{}<tool_call|>',
    "FunctionGemma": "<start_function_call>call:search{query:<escape>save<escape>}<end_function_call>",
    "function_calls": '<function_calls>\n<invoke name="search">\n<parameter name="query">save</parameter>\n'
    "</invoke>\n</function_calls>",
    "a lone invocation": '<invoke name="search"><parameter name="query">save</parameter></invoke>',
    "Seed": "<seed:tool_call>\n<function=search>\n<parameter=query>save</parameter>\n</function>\n</seed:tool_call>",
    "Nemotron": f"<TOOLCALL>[{OBJECT}]</TOOLCALL>",
    "Command": '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "search", "parameters": {"query": "save"}}\n'
    "]<|END_ACTION|>",
    "LM Studio": f"[TOOL_REQUEST]{OBJECT}[END_TOOL_REQUEST]",
    "InternLM": f"<|action_start|><|plugin|>{OBJECT}<|action_end|>",
    "Apertus": '<|tools_prefix|>[{"search": {"query": "save"}}, {"look": {}}]<|tools_suffix|>',
    "Mistral's list": f"[TOOL_CALLS] [{OBJECT}]",
    "Mistral's names": '[TOOL_CALLS]search[ARGS]{"query": "save"}[TOOL_CALLS]look[ARGS]{}',
    "Mistral's ids": '[TOOL_CALLS]search[CALL_ID]abcdefghi[ARGS]{"query": "save"}',
    "Llama 3": f"<|python_tag|>{OF_LLAMA}",
    "two of Llama 3": f'<|python_tag|>{OF_LLAMA}; {{"name": "look", "parameters": {{}}}}<|eom_id|>',
    "Llama 3 in Python": '<|python_tag|>search.call(query="save")',
    "a Llama function": '<function=search>{"query": "save"}</function>',
    "Llama 4": '<|python_start|>[search(query="save")]<|python_end|>',
    "Llama 4 alone": '[search(query="save"), look()]',
    "a lone object": f"{OF_LLAMA}\n",
    "a lone list": f"[{OBJECT}]",
    "a fence": f"```json\n{OBJECT}\n```\n",
    "a fence without a language": f"```\n{OBJECT}\n```",
    "a fence with a list": f"```tool_call\n[{OBJECT}]\n```",
    "OpenAI's object": '```json\n{"function": {"name": "search", "arguments": "{\\"query\\": \\"save\\"}"}}\n```',
}
ALONE = {"Llama 4 alone", "a lone object", "a lone list"}


def read(
    *pieces: Any, tools: Any = TOOLS, reason: Any = "stop", calls: Any = (), certain_only: bool = False
) -> list[Any]:
    numbers = itertools.count(1)
    written = InlineCalls(tools, lambda: f"id{next(numbers)}", certain_only=certain_only)
    given = [TextDelta(piece) if isinstance(piece, str) else piece for piece in pieces]
    events = [*given, ReplyFinished(reason, calls, None)]
    return [left for event in events for left in written.feed(event)]


def made(events: list[Any]) -> list[tuple[str, Any]]:
    return [(call.name, parse_arguments(call.arguments)) for call in events[-1].calls]


@pytest.mark.parametrize("size", [1, 3, 7, 1_000])
@pytest.mark.parametrize("form", FORMS)
def test_a_call_is_made_in_whatever_form_and_pieces_it_is_written(form: str, size: int) -> None:
    before = "" if form in ALONE else "I will look.\n\n"
    text = before + FORMS[form]
    events = read(*(text[start : start + size] for start in range(0, len(text), size)))
    assert made(events)[0] == SEARCH
    assert made(events)[1:] in ([], [LOOK])
    assert shown(events)[0].strip() == before.strip()
    assert events[-1].reason == "tool-calls"
    assert [each.call_id for each in events if isinstance(each, ToolCallStarted)] == [
        call.call_id for call in events[-1].calls
    ]


@pytest.mark.parametrize("form", sorted(FORMS.keys() - ALONE))
def test_a_call_is_made_that_is_written_after_one_that_was_sent(form: str) -> None:
    sent = ToolCall("c", "look", "{}", "c")
    events = read("Looking.\n", ToolCallStarted("c", "look"), FORMS[form], calls=(sent,))
    assert made(events)[:2] == [LOOK, SEARCH]
    assert shown(events)[0].strip() == "Looking."


@pytest.mark.parametrize("form", sorted(FORMS.keys() - ALONE))
def test_calls_are_made_as_often_as_they_are_written(form: str) -> None:
    once, twice = (made(read(f"Looking.\n{FORMS[form]}" + more)) for more in ("", f"\n{FORMS[form]}"))
    assert twice == [*once, *once]


@pytest.mark.parametrize("form", sorted(FORMS.keys() - ALONE))
def test_in_code_that_goes_on_a_call_is_text(form: str) -> None:
    text = f"It looks so:\n```xml\n{FORMS[form].replace('```', '~~~')}\n```\nThat is all."
    events = read(text)
    assert shown(events)[0] == text
    assert events[-1] == ReplyFinished("stop", (), None)


@pytest.mark.parametrize(
    "text",
    [
        f"Such a call looks so:\n<tool_call>{OBJECT}</tool_call>\nIt searches.",
        f"Write `<tool_call>{OBJECT}</tool_call>`",
        f"```xml\n<tool_call>{OBJECT}</tool_call>\n```",
        "The <tool_call> tag is what Hermes writes, <invoke name=…> that of others.",
        '```json\n{"3": {"class_type": "KSampler", "inputs": {}}}\n```\nThat is the workflow.',
        '```json\n{"name": "format", "arguments": {}}\n```',
        '```json\n{"name": "search", "arguments": {"wrong": 1}}\n```',
        '```json\n{"name": "search", "arguments": {}}\n```',
        "```python\nprint('hello')\n```\n",
        '```python\nsearch(query="save")\n```\n',
        "Use `a < b` and ```x``` [TOOL",
        '{"answer": 42}',
        "[TOOL_CALLS] are what Mistral writes.",
        "[KSampler](https://docs.comfy.org) samples.",
        "[search](a) finds it.",
        f"```json\n{OBJECT}\n```\n```json\n{{}}\n```",
        "[" * 5_000,
        "",
    ],
)
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_what_is_no_call_for_certain_stays_text_to_the_letter(text: str, size: int) -> None:
    events = read(*(text[start : start + size] for start in range(0, len(text), size)))
    assert shown(events)[0] == text
    assert events[-1] == ReplyFinished("stop", (), None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "search", "arguments": {"query": "sa</tool_call>',
        f"<tool_call>{OBJECT} and more</tool_call>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{'query",
        "<function=search>{nothing}</function>",
        "<|tool_call_start|>[search(query=unknown)]<|tool_call_end|>",
        "<tool_call>[{" * 2_000,
    ],
)
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_of_a_call_that_cannot_be_read_the_user_is_told_and_sees_nothing(text: str, size: int) -> None:
    text = f"Looking.{text}"
    events = read(*(text[start : start + size] for start in range(0, len(text), size)))
    assert shown(events)[0] == "Looking."
    assert events[-2:] == [UNREAD, ReplyFinished("stop", (), None)]


@pytest.mark.parametrize("form", FORMS)
def test_of_a_call_that_was_cut_anywhere_no_part_is_made_or_shown(form: str) -> None:
    text = FORMS[form]
    for size in range(len(text)):
        events = read(text[:size], reason="length")
        assert made(events) in ([], [SEARCH], [SEARCH, LOOK])


def test_a_call_that_was_cut_after_some_of_its_arguments_is_not_made() -> None:
    for form in (
        "<tool_call>search<arg_key>query</arg_key><arg_value>save</arg_value>",
        "<tool_call><function=search><parameter=query>save</parameter>",
    ):
        for reason in ("length", None):
            events = read(form, reason=reason)
            assert (made(events), shown(events)[0], events[-1].reason) == ([], "", reason)


def test_a_tool_that_is_not_offered_is_for_the_model_to_be_told_of() -> None:
    written = '<tool_call>{"name": "format", "arguments": {}}</tool_call>'
    assert made(read(written)) == [("format", {})]


@pytest.mark.parametrize("form", FORMS)
def test_where_calls_are_sent_as_such_only_what_is_certain_is_a_call(form: str) -> None:
    events = read(FORMS[form], certain_only=True)
    if form in ALONE or FORMS[form].startswith("```"):
        assert shown(events)[0] == FORMS[form]
        assert made(events) == []
    else:
        assert made(events)[0] == SEARCH


SAID = (
    "{}",
    "To do so by hand:\n\n{}",
    "{}\n\nThat is all there is to it.",
    "1. Open the menu.\n2. Paste this:\n\n{}\n\n3. Run it.",
    "The node search finds it; its output looks like this.\n{}\nThe last line is what counts.",
    "> {}\n\nIs that what you mean?",
    "| name | form |\n|---|---|\n| search | see below |\n\n{}\n",
    "I called search before and found nothing. {}",
    "Do not write this:\n{}\nbut what is described in `look`.",
    "**Result**\n\n{}\n\n---\nAnything else?",
)
QUOTED = (
    '```json\n{"3": {"class_type": "KSampler", "inputs": {"seed": 1}}}\n```',
    '`{"name": "search", "arguments": {"query": "save"}}`',
    '```json\n{"name": "KSampler", "arguments": {"steps": 20}}\n```',
    "```xml\n<workflow><node id='3' type='search'/></workflow>\n```",
    f"```xml\n<tool_call>{OBJECT}</tool_call>\n```",
    f"```text\n{OBJECT}\n```",
    "`<tool_call>` and `<function=search>`",
    "<b>search</b> and <look>",
    '```python\nsearch(query="save")\n```',
    "```js\nconst call = { name: 'search', arguments: {} };\n```",
    "```\nsearch --query save\n```",
    '{"width": 512, "height": 512}',
    "[search](#search) or [look](#look)",
    "[[1, 0], [0, 1]]",
    "the tags <tool_call> and </tool_call>",
    "a <|tool_call|> mark",
    "search(query), look()",
    "call:look{} in a note",
    "[TOOL_CALLS] in a template",
    "to=functions.search",
)


def test_no_call_is_made_of_two_hundred_ordinary_answers() -> None:
    answers = [said.format(quoted) for said in SAID for quoted in QUOTED]
    assert len(answers) == 200
    for answer in answers:
        for size in (1, 1_000):
            events = read(*(answer[start : start + size] for start in range(0, len(answer), size)))
            assert (shown(events)[0], made(events)) == (answer, [])


def test_what_stands_in_an_argument_is_left_as_it_is() -> None:
    for query in ("```json\n[TOOL_CALLS]", "<function", "a\n\n; b", "<tool_call>"):
        written = f"<tool_call>{dump({'name': 'search', 'arguments': {'query': query}})}</tool_call>"
        assert made(read(written)) == [("search", {"query": query})]


def test_a_call_longer_than_what_is_held_back_is_not_made() -> None:
    for length, is_made in ((260_000, True), (270_000, False)):
        text = f"<tool_call>{OBJECT.replace('save', 'a' * length)}</tool_call>"
        assert bool(made(read(text))) == is_made


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
        "q24-call-as-text-kimi",
        "q24-call-as-text-deepseek",
        "q24-call-as-text-gemma",
        "q24-call-as-text-lfm",
        "q24-call-as-text-harmony",
        "q24-call-as-text-phi",
        "q24-call-as-text-after-a-thought",
    ],
)
async def test_a_server_that_leaves_calls_in_the_text_is_understood(scenario: str, chunking: str) -> None:
    [events] = await heard(f"dialects/{scenario}", chunking)
    assert made(events) == [("searchInstalledNodes", {"query": "save"})]
    assert "save" not in shown(events)[0]
    assert "<|" not in shown(events)[0]


CALL = [("searchInstalledNodes", {"query": "save"})]
SENT: list[Any] = [{"call": "searchInstalledNodes", "arguments": {"query": "save"}}]
IN_TAGS = '<tool_call>{"name": "searchInstalledNodes", "arguments": {"query": "save"}}</tool_call>'
IN_A_FENCE = '```json\n{"name": "searchInstalledNodes", "arguments": {"query": "save"}}\n```'


def replying(*replies: Any) -> dict[str, Any]:
    return {"about": "A test.", "steps": [{"attempts": [{"reply": reply} for reply in replies]}]}


async def test_a_server_that_has_sent_a_call_is_taken_by_its_word_about_code() -> None:
    replies = await heard(replying(SENT, [{"say": [IN_A_FENCE]}], [{"say": [IN_TAGS]}]), times=3)
    assert [made(reply) for reply in replies] == [CALL, [], CALL]
    assert shown(replies[1])[0] == IN_A_FENCE


@pytest.mark.parametrize("chunking", ["events", "bytes"])
async def test_elsewhere_code_is_a_call_only_after_one_in_marks_was_there(chunking: str) -> None:
    scenario = replying([{"say": [IN_A_FENCE]}], [{"say": [IN_TAGS]}], [{"say": [IN_A_FENCE]}])
    replies = await heard(scenario, chunking, times=3, is_near=False)
    assert [made(reply) for reply in replies] == [[], CALL, CALL]
    assert [shown(reply)[0] for reply in replies] == [IN_A_FENCE, "", ""]

from __future__ import annotations

import itertools
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import (
    ReplyFinished,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
)
from comfyui_assistant.engine.llm.replies.tool_calls import ToolCallAssembler, new_call_id, parse_arguments

from ...growth import grows_in_proportion
from ..reading import call, calls_of, delta, read


def test_a_call_is_announced_streamed_and_ended_under_our_own_id() -> None:
    assert read(
        call("", index=0, id="call_0", name="addNode"),
        call('{"type":', index=0),
        call('"A"}', index=0),
        delta("tool_calls"),
    ) == [
        ToolCallStarted("id1", "addNode"),
        ToolCallDelta("id1", '{"type":'),
        ToolCallDelta("id1", '"A"}'),
        ReplyFinished("tool-calls", (ToolCall("id1", "addNode", '{"type":"A"}', "call_0"),), None),
    ]


TWO = [("a", '{"x":1}'), ("b", '{"y":2}')]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        pytest.param(
            [call('{"x":1}', id="1", name="a"), call('{"y":2}', id="2", name="b")], TWO, id="index left out"
        ),
        pytest.param(
            [call('{"x":1}', index=0, id="1", name="a"), call('{"y":2}', index=0, id="2", name="b")],
            TWO,
            id="every call has index 0",
        ),
        pytest.param(
            [call('{"x"', name="a"), call(":1}"), call('{"y"', name="b"), call(":2}")],
            TWO,
            id="no index and no id",
        ),
        pytest.param(
            [call('{"x":1}', index=0, name="a"), call('{"y":2}', index=0, name="b")],
            TWO,
            id="one shared index, no id",
        ),
        pytest.param(
            [call('{"x"', index=0, id="1", name="a"), call(":1}", index=0, id="")],
            TWO[:1],
            id="an empty id continues",
        ),
        pytest.param(
            [call('{"x"', index=0, id="1", name="a"), call(":1}", index=0, id="1", name="a")],
            TWO[:1],
            id="name and id repeated in each delta",
        ),
        pytest.param(
            [call('{"x"', index=0, id="1", name="a"), call(":1}", index=0, id="2")],
            TWO[:1],
            id="id changes per chunk",
        ),
        pytest.param(
            [call({"x": 1}, index=0, id="1", name="a")], [("a", '{"x": 1}')], id="arguments as an object"
        ),
        pytest.param([call(None, index=0, id="1", name="a")], [("a", "")], id="no arguments at all"),
        pytest.param(
            [
                call('{"x"', index=0, id="1", name="a"),
                call('{"y"', index=1, id="2", name="b"),
                call(":1}", index=0),
                call(":2}", index=1),
            ],
            TWO,
            id="fragments of two calls interleaved",
        ),
        pytest.param(
            [delta(tool_calls=[{"index": 0, "function": {"id": "9", "name": "a", "arguments": "{}"}}])],
            [("a", "{}")],
            id="id inside function",
        ),
    ],
)
def test_calls_are_told_apart_in_every_dialect(chunks: list[Any], expected: list[tuple[str, str]]) -> None:
    assert calls_of(*chunks) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        pytest.param('{"a":"\\ud83d\\ude00 \\ud83d"}', {"a": "😀 \ufffd"}, id="half a character"),
        ("null", {}),
        ('{"a":1}', {"a": 1}),
        ('"{\\"a\\":1}"', {"a": 1}),
        ('{"a":', None),
        ("[1]", None),
        ('{"a":1}{"b":2}', None),
        ('{"a":NaN}', None),
        ('{"a":[-Infinity]}', None),
        ('{"a":1e999}', None),
        ('"{\\"a\\":NaN}"', None),
        ("[" * 100_000, None),
        pytest.param('{"a":' + "[" * 900 + "]" * 900 + "}", None, id="nested 900 deep"),
        pytest.param('{"a":[[[[[1]]]]]}', {"a": [[[[[1]]]]]}, id="nested as deeply as people do"),
    ],
)
def test_arguments_are_an_object_or_nothing_and_never_repaired(text: str, expected: Any) -> None:
    assert parse_arguments(text) == expected


def assembled(*fragments: Any) -> Any:
    numbers = itertools.count(1)
    assembler = ToolCallAssembler(lambda: f"id{next(numbers)}")
    return assembler.feed(fragments), assembler.calls()


def test_what_came_before_a_name_is_told_with_it() -> None:
    events, _ = assembled(
        {"index": 0, "function": {"arguments": '{"x"'}},
        {"index": 0, "function": {"name": "a", "arguments": ":1}"}},
    )
    assert events == [ToolCallStarted("id1", "a"), ToolCallDelta("id1", '{"x":1}')]


def test_a_call_without_a_name_is_none() -> None:
    assert assembled({"index": 0, "id": "1", "function": {"arguments": "{}"}}) == ([], ())


def test_what_a_provider_wants_back_is_kept_with_its_call() -> None:
    signature = {"google": {"thought_signature": "abc"}}
    _, calls = assembled(
        {"index": 0, "id": "1", "function": {"name": "a"}}, {"index": 0, "extra_content": signature}
    )
    assert calls == (ToolCall("id1", "a", "", "1", signature),)


@pytest.mark.parametrize("odd", [None, 5, "addNode", [], {"function": None}, {"index": "0", "function": {}}])
def test_an_odd_fragment_is_no_call(odd: Any) -> None:
    assert assembled(odd) == ([], ())


def test_a_name_or_an_id_that_is_endless_is_cut_or_left_out() -> None:
    *_, finished = read(call("{}", index=0, id="i" * 100_000, name="n" * 100_000), delta("tool_calls"))
    [one] = finished.calls
    assert (len(one.name), one.provider_id) == (200, "")


@pytest.mark.slow
def test_long_arguments_take_as_long_as_they_are() -> None:
    def put_together(pieces: int) -> None:
        assembler = ToolCallAssembler(lambda: "id1")
        first = {"index": 0, "function": {"name": "editWorkflow", "arguments": '{"operations": ['}}
        assembler.feed([first, *({"index": 0, "function": {"arguments": '"text", '}} for _ in range(pieces))])
        assert len(assembler.calls()) == 1

    assert grows_in_proportion(put_together, 8_000)


def test_an_id_is_nine_letters_and_digits_and_no_two_are_the_same() -> None:
    made = [new_call_id() for _ in range(500)]
    assert all(len(each) == 9 and each.isascii() and each.isalnum() for each in made)
    assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ('{"steps": 20', '{"steps": 20}'),
        ('{"a": {"b": 1}', '{"a": {"b": 1}}'),
        ('{""name"": ""KSampler"", ""steps"": 20}', '{"name": "KSampler", "steps": 20}'),
        ('{"text": ""}', '{"text": ""}'),
        ('{"steps": ', '{"steps": '),
        ('{"text": "half', '{"text": "half'),
    ],
)
def test_a_brace_that_vllm_loses_and_quotes_that_it_doubles_are_mended(sent: str, expected: str) -> None:
    assembler = ToolCallAssembler(lambda: "id")
    assembler.feed([{"index": 0, "id": "c", "function": {"name": "look", "arguments": sent}}])
    assert assembler.calls()[0].arguments == expected


def test_a_name_ends_where_the_marks_of_a_template_begin() -> None:
    assembler = ToolCallAssembler(lambda: "id")
    assembler.feed([{"index": 0, "function": {"name": "look<|channel|>commentary", "arguments": "{}"}}])
    assert assembler.calls()[0].name == "look"


def test_a_call_behind_one_without_arguments_is_not_dropped() -> None:
    assembler = ToolCallAssembler(iter(["a", "b"]).__next__)
    assembler.feed([{"index": 0, "id": "c1", "function": {"name": "look", "arguments": "{}"}}])
    assembler.feed([{"index": 0, "id": "c2", "function": {"name": "search", "arguments": '{"query": "a"}'}}])
    assert [(call.name, call.arguments) for call in assembler.calls()] == [
        ("look", "{}"),
        ("search", '{"query": "a"}'),
    ]

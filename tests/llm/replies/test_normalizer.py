from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.events import (
    ReasoningDelta,
    ReplyFinished,
    TextDelta,
    Usage,
)

from ..reading import call, calls_of, delta, read, shown


def test_a_plain_reply_is_text_then_its_end_with_usage() -> None:
    assert read(
        delta(role="assistant", content=None),
        delta(content="Hel"),
        delta(content="lo"),
        delta("stop"),
        {
            "choices": [],
            "usage": {
                "prompt_tokens": 9,
                "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 8},
            },
        },
    ) == [TextDelta("Hel"), TextDelta("lo"), ReplyFinished("stop", (), Usage(9, 2, 8))]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param({"prompt_tokens": 9}, Usage(9, 0, None), id="nothing of a cache"),
        pytest.param({"prompt_tokens": 9, "prompt_tokens_details": None}, Usage(9, 0, None), id="no details"),
        pytest.param(
            {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 0}},
            Usage(9, 0, 0),
            id="nothing cached",
        ),
        pytest.param({"prompt_tokens": 9, "prompt_cache_hit_tokens": 8}, Usage(9, 0, 8), id="DeepSeek"),
        pytest.param({"prompt_tokens": 9, "cached_tokens": 8}, Usage(9, 0, 8), id="Kimi"),
        pytest.param(
            {"prompt_tokens": 9, "cache_read_input_tokens": 800, "cache_creation_input_tokens": 20},
            Usage(829, 0, 800),
            id="a gateway that counts cached tokens apart",
        ),
        pytest.param({"prompt_tokens": 9, "cost": 0.25}, Usage(9, 0, None, 0.25), id="OpenRouter's charge"),
        pytest.param({"prompt_tokens": 9, "cost": {"total": 1}}, Usage(9, 0), id="a charge in another form"),
        pytest.param({"prompt_tokens": 9, "cost": float("nan")}, Usage(9, 0), id="a charge that is none"),
    ],
)
def test_the_tokens_of_a_request_include_those_from_the_cache(usage: Any, expected: Usage) -> None:
    assert read({"choices": [], "usage": usage})[-1].usage == expected


@pytest.mark.parametrize(
    ("reason", "has_call", "expected"),
    [
        ("stop", True, "tool-calls"),
        ("tool_calls", True, "tool-calls"),
        ("length", True, "length"),
        ("stop", False, "stop"),
        ("content_filter", False, "content-filter"),
        ("something_new", False, "other"),
        (None, False, None),
    ],
)
def test_the_finish_reason_follows_the_calls_except_when_cut(
    reason: str | None, has_call: bool, expected: str | None
) -> None:
    chunks = [call("{}", index=0, id="1", name="a")] if has_call else [delta(content="x")]
    assert read(*chunks, delta(reason))[-1].reason == expected


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_both_reasoning_fields_are_read(field: str) -> None:
    assert shown(read(delta(**{field: "hm"}), delta(content="yes"))) == ("yes", "hm")


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(delta(content=5), id="content as a number"),
        pytest.param(delta(content=True), id="content as true"),
        pytest.param(delta(content={"text": "x"}), id="content as an object"),
        pytest.param(delta(content=[{"type": "text", "text": 5}, None, "x"]), id="odd parts of content"),
        pytest.param(delta(reasoning=["x"], reasoning_content=1), id="reasoning as a list"),
        pytest.param({"choices": [{"index": 0, "delta": "x"}]}, id="delta as text"),
        pytest.param(
            {"choices": [{"index": 0, "delta": None, "message": []}]}, id="neither delta nor message"
        ),
        pytest.param({"choices": {"0": {}}}, id="choices as an object"),
        pytest.param({"choices": "x"}, id="choices as text"),
        pytest.param({"choices": [None]}, id="null for a choice"),
        pytest.param(delta(tool_calls={"id": "x"}), id="tool calls as an object"),
        pytest.param(delta(tool_calls=[None, 5]), id="null for a tool call"),
        pytest.param(delta(tool_calls=[{"index": 0, "function": "addNode"}]), id="function as text"),
        pytest.param(call("{}", index=0, id=7, name=5), id="name and id as numbers"),
        pytest.param({"choices": [], "usage": [1]}, id="usage as a list"),
        pytest.param({"choices": [], "usage": {"prompt_tokens": "9"}}, id="tokens as text"),
        pytest.param({"choices": [], "usage": {"prompt_tokens": True}}, id="tokens as true"),
        pytest.param({"choices": [], "usage": {"prompt_tokens": 2**63}}, id="more tokens than there are"),
        pytest.param({"choices": [], "usage": {"prompt_tokens": -1}}, id="less tokens than none"),
    ],
)
def test_what_has_a_wrong_type_counts_as_left_out(odd: dict[str, Any]) -> None:
    whole = [delta(content="yes"), delta("stop")]
    assert read(odd, *whole) == read(*whole)


@pytest.mark.parametrize("reason", [{"a": 1}, ["stop"], 1])
def test_a_reason_to_finish_that_is_no_text_is_one_that_is_not_known(reason: Any) -> None:
    assert read(delta(content="yes"), delta(reason))[-1].reason == "other"


@pytest.mark.parametrize("odd", ["2", -2, 2.5, 2**31, None])
def test_an_odd_count_of_written_tokens_costs_only_itself(odd: Any) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": odd, "cached_tokens": odd}
    assert read({"choices": [], "usage": usage})[-1].usage == Usage(9, 0, None)


def test_only_the_first_of_several_answers_is_read() -> None:
    second = {"index": 1, "delta": {"content": "B"}}
    assert shown(
        read({"choices": [second, {"index": 0, "delta": {"content": "A"}}]}, {"choices": [second]})
    ) == ("A", "")
    assert shown(read({"choices": [{"delta": {"content": "A"}}]})) == ("A", "")


def test_a_character_that_was_cut_in_two_between_deltas_is_joined() -> None:
    assert shown(read(delta(content="a\ud83d"), delta(content="\ude00b"))) == ("a😀b", "")
    assert shown(read(delta(reasoning="a\ud83d"), delta(reasoning="\ude00b"))) == ("", "a😀b")
    assert calls_of(
        call('{"x":"\ud83d', index=0, name="a"), call('\ude00"}', index=0), delta("tool_calls")
    ) == [("a", '{"x":"😀"}')]


def test_half_a_character_that_never_becomes_whole_is_replaced() -> None:
    events = read(delta(reasoning="hm\ud83d"), delta(content="so\ud83d"), delta("stop"))
    assert events == [
        ReasoningDelta("hm"),
        ReasoningDelta("\ufffd"),
        TextDelta("so"),
        TextDelta("\ufffd"),
        ReplyFinished("stop", (), None),
    ]
    assert calls_of(call('{"x":"\ude00"}\ud83d', index=0, name="\ud83d")) == [
        ("\ufffd", '{"x":"\ufffd"}\ufffd')
    ]

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import (
    ReplyEvent,
    ReplyFinished,
    StepReset,
    TextDelta,
    ToolCallDelta,
    ToolCallStarted,
)
from comfyui_assistant.engine.chat.calls.calls import ToolForm
from comfyui_assistant.engine.chat.calls.flat_tools import FlatTools
from comfyui_assistant.engine.chat.replies.filtered_model import FilteredModel
from comfyui_assistant.engine.chat.replies.length_limit import (
    MOST_OF_AN_ANSWER,
    MOST_OF_CALLS,
    LengthLimit,
    is_of_few_parameters,
    without_repetition,
)
from comfyui_assistant.engine.llm.endpoint import Endpoint

from tests.fake_model import FakeModel

from ..one_response import Run

DONE = ReplyFinished("stop", (), None)


async def nothing_open() -> Any:
    raise AssertionError("no call is made")


SLIM = FlatTools(nothing_open)


async def ended(events: Sequence[ReplyEvent]) -> list[ReplyEvent]:
    model = FilteredModel(FakeModel(events), lambda _: [LengthLimit("a-model-1.5b", SLIM)])
    stream = model.stream(Endpoint("http://127.0.0.1:1/v1", "a-model-1.5b"), [], [])
    return [event async for event in stream]


async def test_a_reply_of_usual_length_is_let_through_as_it_is() -> None:
    events = [*(TextDelta(f"word{number} ") for number in range(60)), DONE]
    assert await ended(events) == events


async def test_an_answer_that_does_not_end_is_ended_with_the_word_for_it() -> None:
    found = await ended([TextDelta(f"n{number} ") for number in range(2_000)])
    assert found[-1] == ReplyFinished("length", (), None)
    assert len(found) <= MOST_OF_AN_ANSWER + 2


async def test_a_call_that_does_not_end_is_none() -> None:
    deltas = [ToolCallDelta("c1", f'"n{number}": ') for number in range(2_000)]
    found = await ended([ToolCallStarted("c1", "setValue"), *deltas])
    assert found[-1] == ReplyFinished("length", (), None)
    assert len(found) <= MOST_OF_CALLS + 3


async def test_an_answer_that_repeats_itself_ends_where_it_begins_to() -> None:
    said = "The steps are 20. " * 40
    found = await ended([TextDelta(word + " ") for word in said.split()])
    assert found[-3:] == [StepReset(), TextDelta("The steps are 20."), DONE]


async def test_only_replies_of_the_smallest_models_in_the_slim_form_are_ended() -> None:
    long = [TextDelta(f"n{number} ") for number in range(2_000)]
    whole = "".join(delta.text for delta in long)
    for model, tool_form in (("a-model-1.5b", ToolForm()), ("a-model-14b", SLIM)):
        assert (await Run([*long, DONE], tool_form=tool_form, model=model).go()).kept[-1]["text"] == whole
    smallest = await Run([*long, DONE], tool_form=SLIM, model="a-model-1.5b").go()
    assert smallest.one("data-notice")["data"]["code"] == "length"


@pytest.mark.parametrize(
    "model",
    ["qwen2.5-coder-1.5b-instruct", "llama3.2:1b", "google/gemma-2-2b-it", "smollm2-135m", "Qwen3-0.6B"],
)
def test_a_name_may_tell_of_few_parameters(model: str) -> None:
    assert is_of_few_parameters(model)


@pytest.mark.parametrize(
    "model",
    ["qwen3:4b", "qwen3-30b-a3b", "mixtral-8x7b", "llama-3.1-405b", "gpt-4o", "a-model", "gemma3:12b-4bit"],
)
def test_other_names_do_not(model: str) -> None:
    assert not is_of_few_parameters(model)


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("It loads a model.\n" * 5, "It loads a model."),
        ("1. It loads a model.\n2. It loads a model.\n3. It loads a model.\n", "1. It loads a model."),
        (
            "And it loads, and it samples, and it samples, and it samples, and it samples",
            "And it loads, and it samples",
        ),
        ("a b c. " * 3, None),
        ("one\ntwo\nthree\n", None),
        ("-" * 90, None),
    ],
)
def test_what_is_said_three_times_is_said_once(text: str, once: str | None) -> None:
    assert without_repetition(text) == (text if once is None else once)

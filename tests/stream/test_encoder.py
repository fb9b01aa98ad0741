from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.events import (
    Notice,
    ReasoningDelta,
    StepReset,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
    ToolInputAccepted,
    ToolInputRejected,
    ToolOutput,
)
from comfyui_assistant.engine.base.tool_result import failure
from comfyui_assistant.engine.stream.encoder import Encoder
from comfyui_assistant.engine.stream.parts import StepParts
from hypothesis import given
from hypothesis import strategies as st

from .reference_reader import read

CALL = ToolCall("c1", "look", '{"a":1}', "call_0")


def encoded(steps: list[list[Any]]) -> tuple[list[Any], list[Any]]:
    """The chunks of a response made of these steps, and the parts that the log would keep of it."""
    encoder = Encoder(message_id="m", server_tools={"look"})
    chunks: list[Any] = encoder.start()
    kept: list[Any] = []
    for events in steps:
        parts = StepParts()
        chunks += encoder.start_step()
        for event in events:
            fed = encoder.feed(event)
            parts.read(fed)
            chunks += fed
        chunks += encoder.finish_step()
        kept += parts.parts()
    return chunks + encoder.finish("stop", {"steps": len(steps)}), kept


def types(chunks: list[Any]) -> list[str]:
    return [chunk["type"] for chunk in chunks]


def test_reasoning_text_and_a_call_are_separate_parts_each_closed_before_the_next() -> None:
    chunks, _ = encoded(
        [
            [
                ReasoningDelta("hm"),
                TextDelta("I "),
                TextDelta("look."),
                ToolCallStarted("c1", "look"),
                ToolCallDelta("c1", '{"a":1}'),
                ToolInputAccepted(CALL, {"a": 1}),
                ToolOutput("c1", {"ok": True}),
            ]
        ]
    )
    assert types(chunks) == [
        *("start", "start-step", "reasoning-start", "reasoning-delta", "reasoning-end"),
        *("text-start", "text-delta", "text-delta", "text-end"),
        *("tool-input-start", "tool-input-delta", "tool-input-available", "tool-output-available"),
        *("finish-step", "finish"),
    ]
    assert chunks[11] == {
        "type": "tool-input-available",
        "toolCallId": "c1",
        "toolName": "look",
        "input": {"a": 1},
        "providerExecuted": True,
        "providerMetadata": {"comfyuiAssistant": {"callId": "call_0"}},
    }


def test_a_browser_tool_is_not_marked_as_run_by_the_server() -> None:
    chunks, _ = encoded([[ToolInputAccepted(ToolCall("c1", "addNode", "{}", ""), {})]])
    assert chunks[2] == {
        "type": "tool-input-available",
        "toolCallId": "c1",
        "toolName": "addNode",
        "input": {},
    }


def test_a_call_that_is_not_run_gets_its_result_without_ever_being_ready_to_run() -> None:
    call, refusal = ToolCall("c1", "addNode", "{}", ""), failure("No.", code="repeated")
    chunks, _ = encoded([[ToolInputRejected(call, refusal)]])
    assert chunks[2:5] == [
        {"type": "tool-input-start", "toolCallId": "c1", "toolName": "addNode"},
        {"type": "tool-input-delta", "toolCallId": "c1", "inputTextDelta": "{}"},
        {"type": "tool-output-available", "toolCallId": "c1", "output": refusal, "providerExecuted": True},
    ]


@pytest.mark.parametrize("opened", [0, 1, 2], ids=["before the start", "between steps", "within a step"])
def test_an_error_ends_the_stream_well_from_every_state(opened: int) -> None:
    encoder = Encoder(message_id="m")
    chunks: list[Any] = encoder.start() if opened else []
    if opened == 2:
        chunks += [*encoder.start_step(), *encoder.feed(TextDelta("half"))]
    chunks += encoder.error(code="x", message="It broke.", hint="Press Retry.", retryable=True)
    read(chunks)
    assert types(chunks)[-2:] == ["data-error", "error"]
    assert chunks[-1]["errorText"] == "It broke.\nPress Retry."


def test_nothing_can_be_sent_after_the_end() -> None:
    encoder = Encoder(message_id="m")
    encoder.start()
    encoder.finish("stop")
    with pytest.raises(RuntimeError, match="over"):
        encoder.start_step()


events = st.one_of(
    st.builds(TextDelta, st.text(min_size=1, max_size=4)),
    st.builds(ReasoningDelta, st.text(min_size=1, max_size=4)),
    st.just(StepReset()),
    st.sampled_from([Notice("length", "cut"), Notice("retrying", "waiting")]),
)


@st.composite
def steps(draw: Any) -> list[list[Any]]:
    made: list[list[Any]] = []
    for number in range(draw(st.integers(0, 4))):
        step = draw(st.lists(events, max_size=8))
        for call_number in range(draw(st.integers(0, 3))):
            call = ToolCall(f"c{number}-{call_number}", draw(st.sampled_from(["look", "addNode"])), "{}", "")
            if draw(st.booleans()):
                step += [ToolCallStarted(call.call_id, call.name), ToolCallDelta(call.call_id, "{}")]
            if draw(st.booleans()):
                step.append(ToolInputRejected(call, failure("No.", code="repeated")))
                continue
            step.append(ToolInputAccepted(call, {}))
            if call.name == "look":
                step.append(ToolOutput(call.call_id, {"ok": True}))
        made.append(step)
    return made


@pytest.mark.slow
@given(steps())
def test_a_reader_ends_with_exactly_what_the_log_keeps(made: list[list[Any]]) -> None:
    chunks, kept = encoded(made)
    assert read(chunks) == kept

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.base.events import ReasoningDelta, ReplyFinished, TextDelta, Usage
from comfyui_assistant.engine.chat.calls.calls import ToolForm
from comfyui_assistant.engine.chat.calls.flat_tools import FlatTools
from comfyui_assistant.engine.chat.calls.limits import Limits
from comfyui_assistant.engine.context.results import ResultBudget, stored_budget
from comfyui_assistant.engine.llm.refusals.overflow import ContextOverflow, Overflow
from comfyui_assistant.engine.store.log.event_log import LogEvent

from tests.fake_model import Reply, calls, says

from ...stream.reference_reader import read
from ..one_response import USER, MemoryTurnLog, Run, answer

EMPTY: Reply = [ReasoningDelta("hm"), ReplyFinished("stop", (), None)]
TOO_LONG: Reply = [ContextOverflow("It is too long.", hint="", overflow=Overflow(window=16_000))]


async def test_an_answer_is_one_step_with_usage() -> None:
    run = await Run(says("Hello.", usage=Usage(10, 2, 8))).go()
    assert run.types == [
        "start", "start-step", "text-start", "text-delta", "text-end", "finish-step", "finish",
    ]  # fmt: skip
    assert run.one("finish") == {
        "type": "finish",
        "finishReason": "stop",
        "messageMetadata": {
            "custom": {
                "model": "a-model",
                "steps": 1,
                "usage": {"inputTokens": 10, "outputTokens": 2, "totalTokens": 12, "cachedInputTokens": 8},
            }
        },
    }
    assert run.kept == [{"type": "step-start"}, {"type": "text", "text": "Hello.", "state": "done"}]


async def nothing_open() -> Any:
    raise AssertionError("No call is translated.")


@pytest.mark.parametrize(("tool_form", "is_slim"), [(ToolForm(), False), (FlatTools(nothing_open), True)])
async def test_the_start_tells_whether_the_model_gets_the_slim_form(
    tool_form: ToolForm, is_slim: bool
) -> None:
    run = await Run(says("Hello."), tool_form=tool_form).go()
    assert run.one("start")["messageMetadata"] == {"custom": {"slim": is_slim}}


async def test_a_server_tool_runs_inside_the_response_and_its_result_is_sent_back() -> None:
    run = await Run(calls(("c1", "look", '{"at":"x"}')), says("Seen.")).go()
    assert run.types == [
        "start",
        *("start-step", "tool-input-available", "tool-output-available", "finish-step"),
        *("start-step", "text-start", "text-delta", "text-end", "finish-step"),
        "finish",
    ]
    assert run.one("tool-output-available")["output"] == {
        "ok": True,
        "summary": "Looked.",
        "data": {"at": "x"},
    }
    assert run.model.requests[1][2:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at":"x"}'}}
            ],
        },
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": '{"ok":true,"summary":"Looked.","data":{"at":"x"}}',
        },
    ]


async def test_each_call_of_a_step_is_told_the_same_room_and_keeps_it() -> None:
    told: list[ResultBudget] = []

    async def look(arguments: dict[str, Any], _: Any, room: ResultBudget) -> Any:
        told.append(room)
        return {"ok": True, "summary": "Looked.", "data": arguments}

    run = await Run(
        calls(*((f"c{number}", "look", "{}") for number in range(4))), says("Seen."), look=look
    ).go()
    parts = [part for part in run.kept if part["type"] == "tool-look"]
    assert [stored_budget(part) for part in parts] == told
    assert len(set(told)) == 1
    assert 4_000 < told[0].tokens < 0.7 * 32_000 / 4


async def test_a_browser_tool_ends_the_response_after_the_server_tools_of_its_step_have_run() -> None:
    run = await Run(calls(("c1", "addNode", "{}"), ("c2", "look", "{}"))).go()
    assert run.types[-4:] == ["tool-input-available", "tool-output-available", "finish-step", "finish"]
    assert run.one("finish")["finishReason"] == "tool-calls"
    assert len(run.model.requests) == 1

    answer(run.log, "c1", {"ok": True, "summary": "Added node 1.", "data": {"id": "1"}})
    after = await Run(says("Added."), log=run.log).go()
    assert after.one("start")["messageId"] == "a1"
    results = [message["content"] for message in after.model.requests[0] if message["role"] == "tool"]
    assert results[0] == '{"ok":true,"summary":"Added node 1.","data":{"id":"1"}}'
    assert after.one("finish")["messageMetadata"]["custom"]["steps"] == 2


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        pytest.param(
            "addNoode", "{}", 'There is no tool "addNoode". Did you mean addNode?', id="unknown tool"
        ),
        pytest.param(
            "addNode", '{"type":', "The arguments of addNode are no JSON object", id="broken arguments"
        ),
        pytest.param("look", "[1]", "The arguments of look are no JSON object", id="a list"),
        pytest.param("runScript", "{}", 'There is no tool "runScript".', id="a tool of small models alone"),
    ],
)
async def test_a_call_that_cannot_run_is_answered_at_once_so_that_the_model_repairs_it(
    name: str, arguments: str, expected: str
) -> None:
    run = await Run(calls(("c1", name, arguments)), says("Sorry.")).go()
    assert run.one("tool-output-available")["output"]["error"].startswith(expected)
    assert expected.split('"')[0] in str(run.model.requests[1][-1]["content"])
    assert run.one("finish")["finishReason"] == "stop"


async def test_a_form_that_withholds_no_tool_lets_all_be_called() -> None:
    run = await Run(calls(("c1", "runScript", "{}")), tool_form=ToolForm()).go()
    assert run.types[-1] == "finish"
    assert "tool-output-available" not in run.types


@pytest.mark.parametrize(
    ("reason", "code", "finish"),
    [
        ("length", "length", "length"),
        (None, "cut-off", "other"),
        ("content-filter", "filtered", "content-filter"),
    ],
)
async def test_a_reply_that_was_cut_keeps_its_text_and_runs_none_of_its_calls(
    reason: Any, code: str, finish: str
) -> None:
    run = await Run(calls(("c1", "look", "{}"), text="I will", reason=reason)).go()
    assert "tool-input-available" not in run.types
    assert run.one("tool-output-available")["output"]["code"] == "cut-off"
    assert run.one("data-notice")["data"]["code"] == code
    assert run.one("finish")["finishReason"] == finish
    assert run.kept[1] == {"type": "text", "text": "I will", "state": "done"}


async def test_a_failure_keeps_the_partial_text_and_stands_in_the_thread() -> None:
    failure = ProviderError("provider_failed", "It broke.", hint="Press Retry.", retryable=True)
    run = await Run([TextDelta("Half"), failure]).go()
    assert run.types[-5:] == ["text-delta", "text-end", "finish-step", "data-error", "error"]
    assert run.one("error")["errorText"] == "It broke.\nPress Retry."
    assert run.kept[1:] == [
        {"type": "text", "text": "Half", "state": "done"},
        {
            "type": "data-error",
            "data": {
                "code": "provider_failed",
                "message": "It broke.",
                "hint": "Press Retry.",
                "retryable": True,
            },
        },
    ]


async def test_our_own_failure_ends_the_stream_well_and_shows_no_traceback() -> None:
    async def broken(_: dict[str, Any], *__: Any) -> Any:
        raise KeyError("secret detail")

    run = await Run(calls(("c1", "look", "{}")), look=broken).go()
    assert run.types[-2:] == ["data-error", "error"]
    assert "secret" not in str(run.chunks)


async def test_an_endless_loop_of_tools_ends_at_the_step_limit() -> None:
    replies = [calls((f"c{number}", "look", f'{{"n":{number}}}')) for number in range(30)]
    run = await Run(*replies, limits=Limits(steps=4)).go()
    assert len(run.model.requests) == 4
    assert run.one("data-notice")["data"]["code"] == "step-limit"
    assert run.one("finish")["finishReason"] == "interrupted"


async def test_the_same_call_with_the_same_result_is_noted_at_three_and_stopped_at_five() -> None:
    run = await Run(*[calls((f"c{number}", "look", "{}")) for number in range(9)]).go()
    assert len(run.model.requests) == 5
    tool_texts = [str(message["content"]) for message in run.model.requests[3] if message["role"] == "tool"]
    assert ["3 times" in text for text in tool_texts] == [False, False, True]
    assert run.one("data-notice")["data"]["code"] == "loop"


async def test_only_so_many_parallel_calls_run() -> None:
    many = calls(*[(f"c{number}", "look", f'{{"n":{number}}}') for number in range(12)])
    run = await Run(many, says("ok")).go()
    outputs = [chunk["output"] for chunk in run.chunks if chunk["type"] == "tool-output-available"]
    assert [output.get("code") for output in outputs if not output["ok"]] == ["too-many-calls"] * 4
    assert len(outputs) == 12


async def test_stopping_during_a_server_tool_leaves_its_call_unanswered() -> None:
    async def slow(_: dict[str, Any], *__: Any) -> Any:
        await asyncio.sleep(30)

    run = Run(calls(("c1", "look", "{}")), look=slow)
    task = asyncio.create_task(run.go())
    await run.has("tool-input-available")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.kept[1]["state"] == "input-available"
    again = await Run(says("ok"), log=run.log).go()
    assert "Not run" in str(again.model.requests[0][-1]["content"])


async def test_a_request_that_cannot_fit_is_refused_with_the_numbers_before_anything_is_sent() -> None:
    run = await Run(says("never"), window=12).go()
    assert run.model.requests == []
    assert run.one("data-error")["data"]["code"] == "context_too_small"
    assert "window leaves 10" in run.one("error")["errorText"]


async def test_an_empty_reply_is_tried_once_more_and_then_named() -> None:
    assert (await Run(EMPTY, says("Yes.")).go()).types[-1] == "finish"
    run = await Run(EMPTY, EMPTY).go()
    assert run.types[-2:] == ["data-error", "error"]
    assert run.one("data-error")["data"]["code"] == "empty_reply"
    assert "its thoughts and without an answer" in run.one("data-error")["data"]["message"]


async def test_a_call_that_the_server_could_not_form_is_asked_for_once_more() -> None:
    malformed: Reply = [ReplyFinished("other", (), None)]
    assert (await Run(malformed, says("Yes.")).go()).types[-1] == "finish"


async def test_an_empty_reply_after_a_request_that_was_made_smaller_is_tried_once_more_too() -> None:
    run = await Run(TOO_LONG, EMPTY, says("Yes.")).go()
    assert len(run.model.requests) == 3
    assert run.kept[-1] == {"type": "text", "text": "Yes.", "state": "done"}


async def test_an_overflow_after_an_empty_reply_still_has_all_its_stages() -> None:
    run = await Run(EMPTY, TOO_LONG, TOO_LONG, TOO_LONG, says("Yes.")).go()
    assert run.kept[-1] == {"type": "text", "text": "Yes.", "state": "done"}


async def test_a_divider_of_a_step_that_is_asked_again_stands_once_in_the_panel_and_in_the_log() -> None:
    run = await Run(TOO_LONG, EMPTY, says("Yes.")).go()
    shown = read(run.chunks)
    assert [part["type"] for part in shown] == ["step-start", "data-compaction", "text"]
    assert shown == run.kept


async def test_thoughts_before_an_overflow_are_not_joined_with_those_of_the_next_attempt() -> None:
    run = await Run([ReasoningDelta("hm"), *TOO_LONG], [ReasoningDelta("so"), *says("Yes.")]).go()
    assert run.kept[-2:] == [
        {"type": "reasoning", "text": "so", "state": "done"},
        {"type": "text", "text": "Yes.", "state": "done"},
    ]


async def test_a_reply_that_ends_without_saying_so_was_cut_off() -> None:
    run = await Run([TextDelta("Half")]).go()
    assert run.one("data-notice")["data"]["code"] == "cut-off"


def long_log(newest: LogEvent = USER) -> MemoryTurnLog:
    log = MemoryTurnLog()
    text = "A sentence about a lighthouse in the evening light. " * 120
    past = [
        event
        for number in range(18)
        for event in (
            LogEvent("user", f"past{number}", {"parts": [{"type": "text", "text": text}]}),
            LogEvent(
                "step", f"answer{number}", {"parts": [{"type": "text", "text": "So it is.", "state": "done"}]}
            ),
        )
    ]
    log.events = [*past, newest]
    return log


def read_of_it(tokens: int, text: str = "Noise.") -> Reply:
    return says(text, usage=Usage(tokens, 5))


async def test_an_answer_to_a_request_that_was_cut_silently_is_taken_back_and_asked_for_once_more() -> None:
    run = await Run(read_of_it(16_300), says("Yes."), log=long_log(), window=128_000).go()
    assert len(str(run.model.requests[1])) < len(str(run.model.requests[0])) * 0.6
    shown = read(run.chunks)
    assert [part["type"] for part in shown] == ["step-start", "data-notice", "data-compaction", "text"]
    assert shown == run.kept
    assert shown[1]["data"]["code"] == "prompt-cut"
    assert shown[-1]["text"] == "Yes."


async def test_what_is_cut_twice_is_told_and_kept() -> None:
    newest = LogEvent("user", "u1", {"parts": [{"type": "text", "text": "All of this counts. " * 800}]})
    replies = read_of_it(16_300), read_of_it(2_048, "Yes.")
    run = await Run(*replies, log=long_log(newest), window=128_000).go()
    assert [part["type"] for part in run.kept].count("data-notice") == 2
    assert any(part.get("text") == "Yes." for part in run.kept)


async def test_where_a_cut_shows_a_window_for_the_short_form_a_retry_is_offered() -> None:
    run = await Run(read_of_it(4_096), log=long_log(), window=128_000).go()
    assert run.one("data-error")["data"]["code"] == "context_too_small"
    assert "4,096" in run.one("data-error")["data"]["message"]
    assert [part["type"] for part in run.kept] == ["step-start", "data-error"]


async def test_calls_of_an_answer_to_a_request_that_was_cut_are_made_all_the_same() -> None:
    [*text, end] = calls(("c1", "addNode", "{}"))
    run = await Run([*text, replace(end, usage=Usage(16_300, 5))], log=long_log(), window=128_000).go()
    assert len(run.model.requests) == 1
    assert run.one("data-notice")["data"]["code"] == "prompt-cut"
    assert run.one("tool-input-available")["toolName"] == "addNode"


async def test_a_count_that_is_no_window_is_told_and_the_answer_kept() -> None:
    run = await Run(read_of_it(3_000, "Yes."), log=long_log(), window=128_000).go()
    assert [part["type"] for part in run.kept] == ["step-start", "text", "data-notice"]

from __future__ import annotations

import asyncio

import pytest
from comfyui_assistant.engine.base.events import ReplyFinished, TextDelta, ToolCall, ToolCallStarted

from tests.fake_model import says

from ...stream.reference_reader import read
from ..one_response import LockedTurnLog, Run, SlowTurnLog


async def test_text_after_a_call_has_begun_stands_where_it_was_shown() -> None:
    reply = [
        TextDelta("First"),
        ToolCallStarted("c1", "addNode"),
        TextDelta("then"),
        ReplyFinished("tool-calls", (ToolCall("c1", "addNode", "{}", ""),), None),
    ]
    run = await Run(reply).go()
    assert [part["type"] for part in run.kept] == ["step-start", "text", "tool-addNode", "text"]
    assert read(run.chunks) == run.kept


async def test_stopping_while_text_streams_keeps_the_text_and_closes_the_model() -> None:
    run = Run([TextDelta("Half an answer"), 30.0])
    task = asyncio.create_task(run.go())
    await run.has("text-delta")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.model.closed_streams == 1
    assert run.kept[1:] == [
        {"type": "text", "text": "Half an answer", "state": "done"},
        {"type": "data-notice", "data": {"code": "interrupted", "message": "Stopped."}},
    ]


async def test_leaving_while_the_whole_answer_waits_to_be_written_keeps_it_once_and_not_as_stopped() -> None:
    log = SlowTurnLog()
    run = Run(says("The whole answer."), log=log)
    task = asyncio.create_task(run.go())
    await log.is_waited_for.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert run.kept == [
        {"type": "step-start"},
        {"type": "text", "text": "The whole answer.", "state": "done"},
    ]


async def test_an_answer_whose_write_is_refused_is_written_with_the_error_in_one_go() -> None:
    log = LockedTurnLog(1)
    run = await Run(says("The whole answer."), log=log).go()
    assert [event.kind for event in log.events] == ["user", "step", "data"]
    assert run.kept[1] == {"type": "text", "text": "The whole answer.", "state": "done"}
    assert run.kept[2]["data"]["code"] == "store_failed"


async def test_an_answer_that_cannot_be_written_is_tried_twice_and_then_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = LockedTurnLog(9)
    run = await Run(says("The whole answer."), log=log).go()
    assert log.refusals == 7
    assert "could not be kept: The database is locked." in caplog.text
    assert run.types[-2:] == ["data-error", "error"]

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import ReplyFinished, TextDelta, ToolCall, ToolCallStarted
from comfyui_assistant.engine.chat.turn.response_writer import Draft, ThreadTurnLog, TurnLog
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.stream.parts import StepDelta, StepParts

from tests.fake_model import says

from ...stream.reference_reader import read
from ..one_response import LockedTurnLog, MemoryTurnLog, Run, SlowTurnLog

START: Any = {"type": "text-start", "id": "t"}
TEXT = {"type": "text", "text": "Hello."}
USER = LogEvent("user", "u1", {"parts": [TEXT]})


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


def said(text: str) -> Any:
    return {"type": "text-delta", "id": "t", "delta": text}


async def test_each_piece_of_a_draft_holds_only_what_is_new() -> None:
    log, parts = MemoryTurnLog(), StepParts()
    draft = Draft(log, "a1")
    parts.read([START, said("one "), said("two ")])
    draft.save(parts)
    parts.read([said("three")])
    draft.save(parts)
    text = {"type": "text", "text": "one two ", "state": "done"}
    assert log.drafts == [
        {"number": 0, "keep": 0, "grow": "", "parts": [{"type": "step-start"}, text]},
        {"number": 1, "keep": 2, "grow": "three", "parts": []},
    ]


async def test_nothing_is_saved_where_nothing_came() -> None:
    log, parts = MemoryTurnLog(), StepParts()
    draft = Draft(log, "a1")
    parts.read([START, said("one")])
    draft.save(parts)
    draft.save(parts)
    assert len(log.drafts) == 1


async def test_what_came_is_saved_a_moment_later_though_nothing_follows() -> None:
    log, parts = MemoryTurnLog(), StepParts()
    draft = Draft(log, "a1", seconds=0.02)
    for text in ("one ", "two"):
        parts.read([START, said(text)])
        draft.save_soon(parts)
    assert log.drafts == []
    await asyncio.sleep(0.1)
    assert len(log.drafts) == 1


async def test_what_is_written_down_whole_is_saved_no_more() -> None:
    log, parts = MemoryTurnLog(), StepParts()
    draft = Draft(log, "a1", seconds=0.02)
    parts.read([START, said("one")])
    draft.save_soon(parts)
    draft.leave()
    await asyncio.sleep(0.1)
    assert log.drafts == []


def news(number: int, keep: int, grow: str, *parts: dict[str, Any]) -> StepDelta:
    return StepDelta(number=number, keep=keep, grow=grow, parts=list(parts))


async def test_events_and_the_draft_go_to_the_log_of_the_thread(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    threads = ThreadStore(database)
    thread_id = (await threads.create()).id
    log = ThreadTurnLog(threads, thread_id)
    await log.append([USER])
    log.save_draft("a1", news(0, 0, "", {"type": "step-start"}, {**TEXT, "text": "H"}))
    log.save_draft("a1", news(1, 2, "i"))
    messages: list[Any] = []
    while not any(message["id"] == "a1" for message in messages):
        await asyncio.sleep(0.01)
        messages = (await threads.read(thread_id)).messages
    database.close()
    assert [(message["id"], message["parts"][-1]["text"]) for message in messages] == [
        ("u1", "Hello."),
        ("a1", "Hi"),
    ]


async def test_nothing_is_kept_for_a_client_that_keeps_the_conversation_itself() -> None:
    log = TurnLog()
    await log.append([USER])
    log.save_draft("a1", news(0, 0, ""))

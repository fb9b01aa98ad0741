from __future__ import annotations

import asyncio
from typing import Any

from comfyui_assistant.engine.chat.turn.draft import Draft
from comfyui_assistant.engine.stream.parts import StepParts

from ..one_response import MemoryTurnLog

START: Any = {"type": "text-start", "id": "t"}


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

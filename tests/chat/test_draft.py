from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.chat.draft import Draft
from comfyui_assistant.engine.stream.parts import StepParts

from .one_response import MemoryTurnLog

START: Any = {"type": "text-start", "id": "t"}


def said(text: str) -> Any:
    return {"type": "text-delta", "id": "t", "delta": text}


def test_each_piece_of_a_draft_holds_only_what_is_new() -> None:
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


def test_nothing_is_saved_where_nothing_came() -> None:
    log, parts = MemoryTurnLog(), StepParts()
    draft = Draft(log, "a1")
    parts.read([START, said("one")])
    draft.save(parts)
    draft.save(parts)
    assert len(log.drafts) == 1


def test_a_draft_is_not_due_right_after_it_began() -> None:
    assert not Draft(MemoryTurnLog(), "a1").is_due

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.base.messages import dump
from comfyui_assistant.engine.chat.thread_context.stored_thread import (
    active,
    pending_compaction,
    pending_summary,
)
from comfyui_assistant.engine.chat.thread_context.turn_context import new_compaction
from comfyui_assistant.engine.context.compaction import clear_conversation
from comfyui_assistant.engine.store.compactions import StoredCompaction

TWO_MESSAGES: Any = [
    {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "A fox."}]},
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Here."}]},
]
STATE = clear_conversation(TWO_MESSAGES)
CLEARED = new_compaction(STATE, "clear", 900, 0)
CONVERSATION: Any = [
    {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "A fox."}]},
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Here."}]},
    {"id": "u2", "role": "user", "parts": [{"type": "text", "text": "A bear."}]},
]
PENDING = StoredCompaction(
    id="compaction_1",
    created_at=0.0,
    cause="model",
    state=dump({"users": 1, "messages": 2, "last": "a1"}),
    text="A fox was made.",
    turns=1,
    rounds=0,
    tokens_before=0,
    tokens_after=0,
    status="pending",
)


@pytest.mark.parametrize(
    ("stored", "states"),
    [
        (CLEARED, [STATE]),
        (replace(CLEARED, status="void"), []),
        (replace(CLEARED, status="pending"), []),
        (replace(CLEARED, state="{"), []),
        (replace(CLEARED, state="{}"), []),
    ],
    ids=["active", "taken back", "pending", "damaged", "of another form"],
)
def test_what_holds_is_active_and_can_be_read(stored: Any, states: Any) -> None:
    assert active([stored]) == states


@pytest.mark.parametrize(
    ("entries", "users"),
    [
        ([PENDING], 1),
        ([], None),
        ([PENDING, replace(PENDING, id="compaction_2", status="active", cause="rule")], None),
        ([replace(PENDING, state="no JSON")], None),
        ([replace(PENDING, state=dump({"users": 1, "messages": 2, "last": "other"}))], None),
    ],
    ids=["it waits", "there is none", "something was condensed since", "it is damaged", "of another branch"],
)
def test_a_summary_waits_for_its_use_on_the_branch_that_it_is_about(entries: Any, users: int | None) -> None:
    summary = pending_summary(entries, CONVERSATION)
    assert (summary and (summary.text, summary.users)) == (users and ("A fox was made.", users))


def test_a_summary_that_was_just_written_waits() -> None:
    entry = pending_compaction("A fox.", CONVERSATION)
    assert (entry.status, entry.cause) == ("pending", "model")
    summary = pending_summary([entry], [*CONVERSATION, {"id": "a2", "role": "assistant", "parts": []}])
    assert summary is not None
    assert (summary.text, summary.users) == ("A fox.", 2)

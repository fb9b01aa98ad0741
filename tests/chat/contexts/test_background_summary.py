from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.base.messages import dump
from comfyui_assistant.engine.chat.contexts.background_summary import (
    _HEADINGS,
    _SHORTEST,
    fault,
    pending_summary,
)
from comfyui_assistant.engine.store.compactions import StoredCompaction

CONVERSATION: Any = [
    {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "A fox."}]},
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Here."}]},
    {"id": "u2", "role": "user", "parts": [{"type": "text", "text": "A bear."}]},
]
SOUND = "\n".join([*_HEADINGS, "always save as webp", "x" * _SHORTEST])
PENDING = StoredCompaction(
    id="compaction_1",
    created_at=0.0,
    cause="model",
    state=dump({"users": 1, "messages": 2, "last": "a1"}),
    text=SOUND,
    turns=1,
    rounds=0,
    tokens_before=0,
    tokens_after=0,
    status="pending",
)


@pytest.mark.parametrize(
    ("text", "pins", "words"),
    [
        (SOUND, [], ""),
        (SOUND, ["always save as webp"], ""),
        (SOUND, ["never touch seeds"], "it lacks a pinned line"),
        (SOUND.replace(_HEADINGS[0], ""), [], f"it lacks {_HEADINGS[0]}"),
        ("short", [], "it has 5 characters"),
    ],
)
def test_a_summary_is_believed_only_with_what_it_must_hold(text: str, pins: list[str], words: str) -> None:
    problem = fault(text, pins)
    assert problem.startswith(words) if words else problem == ""


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
    assert (summary and (summary.text, summary.users)) == (users and (SOUND, users))

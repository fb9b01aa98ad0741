from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.chat.thread_context.thread_contexts import pending_dividers
from comfyui_assistant.engine.chat.thread_context.turn_context import new_compaction
from comfyui_assistant.engine.context.compaction import clear_conversation

from tests.chat.a_chat import Chat

CONVERSATION: Any = [
    {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "A fox."}]},
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Here."}]},
]
STATE = clear_conversation(CONVERSATION)
CLEARED = new_compaction(STATE, "clear", 900, 0)


async def test_looking_at_the_context_writes_nothing(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    await chat.say(thread_id, "u1", "one")
    before = await chat.threads.export(thread_id)
    opened = await chat.open_contexts.open(thread_id)
    assert opened.goals == "A red sky."
    await opened.context.planner.plan(opened.conversation)
    after = await chat.threads.export(thread_id)
    assert _without_time(after) == _without_time(before)


def _without_time(document: bytes) -> bytes:
    return re.sub(rb'"exportedAt":[^,]+', b"", document)


def shown(compaction_id: str) -> Any:
    divider = {"type": "data-compaction", "data": {"id": compaction_id}}
    return [*CONVERSATION, {"id": "a2", "role": "assistant", "parts": [divider]}]


@pytest.mark.parametrize(
    ("stored", "conversation", "is_told"),
    [
        (CLEARED, CONVERSATION, True),
        (CLEARED, shown(CLEARED.id), False),
        (CLEARED, shown("another"), True),
        (replace(CLEARED, cause="rule"), CONVERSATION, False),
        (CLEARED, CONVERSATION[:1], False),
    ],
    ids=["not shown yet", "shown", "another one shown", "nobody asked for it", "of another branch"],
)
def test_the_next_answer_shows_what_the_person_had_condensed(
    stored: Any, conversation: Any, is_told: bool
) -> None:
    assert pending_dividers([stored], conversation) == ([stored.divider()] if is_told else [])

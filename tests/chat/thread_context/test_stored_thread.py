from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.chat.thread_context.context_log import new_compaction
from comfyui_assistant.engine.chat.thread_context.stored_thread import active
from comfyui_assistant.engine.context.compaction import clear_conversation

CONVERSATION: Any = [
    {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "A fox."}]},
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Here."}]},
]
STATE = clear_conversation(CONVERSATION)
CLEARED = new_compaction(STATE, "clear", 900, 0)


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

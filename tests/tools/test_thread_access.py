from __future__ import annotations

from comfyui_assistant.engine.tools.thread_access import NoThread


async def test_outside_of_a_conversation_nothing_was_said_and_nobody_helps():
    assert NoThread().conversation() == ()
    assert await NoThread().delegate("Find it.", ["r1"]) == {
        "ok": False,
        "error": "delegate works only inside a conversation.",
    }

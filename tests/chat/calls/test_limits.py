from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.chat.calls.limits import Limits, limit_reached

USER: Any = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "please"}]}
STEP = {"type": "step-start"}
CALL = {"type": "tool-look", "toolCallId": "c1", "state": "input-available", "input": {}}


def answer(*parts: Any) -> Any:
    return {"id": "a1", "role": "assistant", "parts": list(parts)}


@pytest.mark.parametrize(
    ("conversation", "after"),
    [
        pytest.param([USER, answer(STEP, CALL, CALL)], None, id="below both limits"),
        pytest.param([USER, answer(STEP, STEP)], "2 steps", id="steps"),
        pytest.param([USER, answer(STEP, CALL, CALL, CALL)], "3 tool calls", id="calls"),
        pytest.param([USER, answer(STEP), answer(STEP)], "2 steps", id="over all responses of the turn"),
        pytest.param([USER, answer(STEP, STEP), USER], None, id="a new message counts anew"),
    ],
)
def test_a_turn_goes_so_far_before_the_person_is_asked(conversation: Any, after: str | None) -> None:
    notice = limit_reached(conversation, Limits(steps=2, calls=3))
    assert (notice and notice.message.split(" without")[0]) == (after and f"Stopped after {after}")

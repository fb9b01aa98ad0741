from __future__ import annotations

from comfyui_assistant.engine.context.compaction import clear_conversation

from ...context.conversations import turns
from .turn_contexts import SHORT, context


async def test_what_was_condensed_on_another_branch_does_not_hold_on_this_one() -> None:
    turn = context(compactions=[clear_conversation(SHORT)])
    assert "Question 0" not in str((await turn.planner.plan([*SHORT, *turns(1, first=2)])).messages)
    assert "Question 7" in str((await turn.planner.plan(turns(2, first=7))).messages)

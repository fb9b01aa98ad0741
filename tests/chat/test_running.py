from __future__ import annotations

import pytest
from comfyui_assistant.engine.chat.running import RunningTurns
from comfyui_assistant.engine.errors import RequestError


async def test_a_thread_has_one_turn_at_a_time_and_others_go_on_beside_it() -> None:
    turns = RunningTurns(patience_seconds=0.01)
    async with turns.only_one("t1"), turns.only_one("t2"):
        with pytest.raises(RequestError) as caught:
            async with turns.only_one("t1"):
                pass
    assert (caught.value.code, caught.value.status) == ("turn_running", 409)


async def test_a_turn_that_failed_leaves_its_thread_free() -> None:
    turns = RunningTurns(patience_seconds=0.5)
    with pytest.raises(KeyError):
        async with turns.only_one("t1"):
            raise KeyError
    async with turns.only_one("t1"):
        pass

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.room import Room, room_of, room_of_each


@pytest.mark.parametrize(
    ("free", "calls", "tokens"),
    [
        pytest.param(9_000, 1, 3_000, id="a third for one"),
        pytest.param(9_000, 2, 3_000, id="a third for each of two"),
        pytest.param(9_000, 3, 2_100, id="seven tenths for all together"),
        pytest.param(-50, 8, 300, id="a little in any case"),
    ],
)
def test_the_results_of_a_step_share_what_is_free(free: int, calls: int, tokens: int) -> None:
    assert room_of_each(free, calls) == Room(tokens)


def test_a_room_holds_what_counts_no_more_than_its_tokens() -> None:
    room = Room(30)
    assert (room.holds("x" * 100), room.holds("x" * 101)) == (True, False)
    assert (room.holds(["x" * 90]), room.holds(["x" * 98])) == (True, False)


@pytest.mark.parametrize(
    ("own", "room"),
    [
        pytest.param({"room": 700}, Room(700), id="as it was told"),
        pytest.param({"callId": "c"}, None, id="a call from before there were rooms"),
        pytest.param({"room": True}, None, id="no number"),
        pytest.param({"room": -1}, None, id="less than nothing"),
    ],
)
def test_a_call_keeps_its_room(own: dict[str, Any], room: Room | None) -> None:
    part: Any = {"type": "tool-look", "callProviderMetadata": {"comfyuiAssistant": own}}
    assert room_of(part) == room

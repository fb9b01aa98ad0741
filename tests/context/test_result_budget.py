from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.result_budget import ResultBudget, result_budget_of, share_budget
from comfyui_assistant.engine.context.tool_facts import ToolFacts

USUAL, MOST = ToolFacts(), ToolFacts(share="most")


@pytest.mark.parametrize(
    ("free", "tools", "rooms"),
    [
        pytest.param(9_000, [USUAL], [3_000], id="a third for one"),
        pytest.param(9_000, 2 * [USUAL], 2 * [3_000], id="a third for each of two"),
        pytest.param(9_000, 3 * [USUAL], 3 * [2_100], id="seven tenths for all together"),
        pytest.param(10_000, [MOST], [7_000], id="seven tenths for what all else is made of"),
        pytest.param(31_000, [MOST, USUAL], [14_700, 7_000], id="shared by what each asks for"),
        pytest.param(-50, 8 * [USUAL], 8 * [300], id="a little in any case"),
        pytest.param(9_000, [], [], id="no call"),
    ],
)
def test_the_results_of_a_step_share_what_is_free(
    free: int, tools: list[ToolFacts], rooms: list[int]
) -> None:
    assert [room.tokens for room in share_budget(free, tools)] == rooms


def test_a_room_holds_what_counts_no_more_than_its_tokens() -> None:
    room = ResultBudget(30)
    assert (room.holds("x" * 100), room.holds("x" * 101)) == (True, False)
    assert (room.holds(["x" * 90]), room.holds(["x" * 98])) == (True, False)


@pytest.mark.parametrize(
    ("own", "room"),
    [
        pytest.param({"room": 700}, ResultBudget(700), id="as it was told"),
        pytest.param({"callId": "c"}, None, id="a call from before there were rooms"),
        pytest.param({"room": True}, None, id="no number"),
        pytest.param({"room": -1}, None, id="less than nothing"),
    ],
)
def test_a_call_keeps_its_room(own: dict[str, Any], room: ResultBudget | None) -> None:
    part: Any = {"type": "tool-look", "callProviderMetadata": {"comfyuiAssistant": own}}
    assert result_budget_of(part) == room

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.frame import Frame, SystemRoom, system_form

from .planned import READ_BACK


@pytest.mark.parametrize(
    ("mode", "window", "is_slim", "is_first_turn", "expected"),
    [
        ("auto", 32_000, False, False, "full"),
        ("auto", 15_000, False, True, "full"),
        ("auto", 15_000, False, False, "continuation"),
        ("full", 13_000, False, False, "full"),
        ("continuation", 128_000, False, True, "full"),
        ("continuation", 128_000, False, False, "continuation"),
        ("full", 8_192, True, True, "slim"),
    ],
)
def test_the_form_of_the_system_message(
    mode: Any, window: int, is_slim: bool, is_first_turn: bool, expected: str
) -> None:
    assert system_form(mode, window=window, is_slim=is_slim, is_first_turn=is_first_turn) == expected


@pytest.mark.parametrize(
    ("working", "is_known", "expected"),
    [(13_000, True, 2_500), (28_000, True, 4_666), (125_000, True, 12_000), (125_000, False, 2_500)],
)
def test_what_the_user_told_has_more_room_in_a_larger_window(
    working: int, is_known: bool, expected: int
) -> None:
    assert SystemRoom.of(working, is_window_known=is_known).user_characters == expected


@pytest.mark.parametrize(
    ("working", "expected"), [(4_000, 0), (9_000, 2_250), (12_000, 4_000), (48_000, 16_000)]
)
def test_the_system_context_has_a_third_or_what_the_tools_leave(working: int, expected: int) -> None:
    assert SystemRoom.of(working, is_window_known=True).tokens == expected


@pytest.mark.parametrize(
    ("tools", "expected"), [([], False), ([{"function": {"name": "look"}}], False), ([READ_BACK], True)]
)
def test_what_is_left_out_can_be_read_back_where_the_tool_for_it_is_there(tools: Any, expected: bool) -> None:
    assert Frame("", "full", tools).can_read_back is expected

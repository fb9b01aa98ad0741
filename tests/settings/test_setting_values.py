from __future__ import annotations

import pytest
from comfyui_assistant.engine.settings.setting_values import read_switch, read_whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("48000", 48_000),
        ("48,000", 48_000),
        (" 48_000 ", 48_000),
        ("0", 0),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
        ("", None),
        ("12k", None),
        ("9" * 13, None),
    ],
)
def test_a_whole_number_is_read_as_people_write_it(text: str, number: int | None) -> None:
    assert read_whole_number(text) == number


@pytest.mark.parametrize(
    ("text", "switch"),
    [("on", True), ("YES", True), ("1", True), (" off ", False), ("no", False), ("maybe", None)],
)
def test_a_switch_has_more_names_than_on_and_off(text: str, switch: bool | None) -> None:
    assert read_switch(text) is switch

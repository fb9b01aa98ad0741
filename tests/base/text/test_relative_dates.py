from __future__ import annotations

import datetime as dt

import pytest
from comfyui_assistant.engine.base.text.relative_dates import parse_day

A_FRIDAY = dt.date(2026, 1, 30)


@pytest.mark.parametrize(
    ("words", "rest", "day"),
    [
        ("the fox from Tuesday", "the fox", "2026-01-27"),
        ("der Fuchs vom Dienstag", "der Fuchs", "2026-01-27"),
        ("yesterday", "", "2026-01-29"),
        ("a fox on friday in snow", "a fox in snow", "2026-01-30"),
        ("fox 2026-01-02", "fox", "2026-01-02"),
        ("fox 2026-13-41", "fox 2026-13-41", None),
        ("fox", "fox", None),
        ("Mondays", "Mondays", None),
    ],
)
def test_a_day_is_found_among_the_words(words: str, rest: str, day: str | None) -> None:
    found = parse_day(words, A_FRIDAY)
    assert found == (rest, day and dt.date.fromisoformat(day))

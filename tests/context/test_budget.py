from __future__ import annotations

import pytest
from comfyui_assistant.engine.context.budget import Budget, Thresholds, working_set
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("window", "expected"), [(8_192, 6_144), (32_768, 28_672), (100_000, 50_000), (1_000_000, 64_000)]
)
def test_the_working_set_is_all_of_a_small_window_and_a_part_of_a_large_one(
    window: int, expected: int
) -> None:
    assert working_set(window, min(4_096, window // 4)) == expected


@pytest.mark.parametrize(("working", "effective"), [(None, 27_904), (9_000, 9_000), (100_000, 27_904)])
def test_a_working_set_that_somebody_sets_never_goes_beyond_the_window(
    working: int | None, effective: int
) -> None:
    assert Budget(32_000, 4_096, working).effective_working == effective


@given(st.integers(1_000, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0.5, 4))
def test_the_marks_are_in_order_whatever_every_request_carries(
    window: int, fixed: int, condensed: int, factor: float
) -> None:
    marks = Thresholds.of(Budget(window, window // 8, factor=factor), fixed, condensed)
    assert marks.low <= marks.cold <= marks.high <= marks.hard
    assert marks.hard * factor <= window - window // 8


def test_what_comes_down_only_a_little_is_condensed_again_only_after_as_much_has_come_anew() -> None:
    usual, crowded = (Thresholds.of(Budget(32_000, 0), 1_000, condensed) for condensed in (0, 20_000))
    assert crowded.low == usual.low
    assert crowded.high - (1_000 + 20_000) == (usual.high - usual.low) // 2

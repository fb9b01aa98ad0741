from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.new_seeds import another_seed, wants_another_seed


@pytest.mark.parametrize(
    "clause",
    [
        "new seed",
        "a different random seed",
        "randomise the seed",
        "change the seed",
        "neuer Seed",
        "otra semilla",
    ],
)
def test_another_seed_is_wanted(clause: str) -> None:
    assert wants_another_seed(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "seed 42",
        "change the seed to 7",
        "keep the seed",
        "fix the seed",
        "what is a seed",
        "a new seed every time",
    ],
)
def test_no_other_seed_is_wanted(clause: str) -> None:
    assert not wants_another_seed(clause)


def test_the_other_seed_is_one_that_a_page_can_hold() -> None:
    assert all(0 <= another_seed(seed) < 2**53 for seed in (0, 1, 2**64 - 1))
    assert another_seed(5) == another_seed(5) != 5

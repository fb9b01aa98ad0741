"""How models count is kept with its day, told in words, and forgotten."""

from __future__ import annotations

import pytest
from comfyui_assistant.engine.context.tokens import Calibration, first_calibration
from comfyui_assistant.engine.llm.adjustment import Adjustment
from comfyui_assistant.engine.llm.known.token_calibrations import TokenCalibrations
from comfyui_assistant.engine.store.model_states import ModelStates

HERE = ("http://127.0.0.1:1/v1", "small")


@pytest.mark.parametrize(
    ("calibration", "words"),
    [
        (
            Calibration(1.04, 31),
            "Learned from 31 answers: this model counts 4 % more tokens than we estimate.",
        ),
        (Calibration(0.9, 1), "Learned from 1 answer: this model counts 10 % fewer tokens than we estimate."),
        (Calibration(1.001, 2), "Learned from 2 answers: this model counts as many tokens as we estimate."),
    ],
)
async def test_what_answers_taught_is_told_and_can_be_forgotten(calibration: Calibration, words: str) -> None:
    states = ModelStates()
    counter = ["estimate"]
    counts = TokenCalibrations(states, lambda: counter[0], clock=lambda: 7.0)
    assert await counts.note(*HERE) is None
    await counts.keep(*HERE, calibration)
    again = TokenCalibrations(states, lambda: counter[0])
    assert await again.of(*HERE) == calibration
    assert await again.note(*HERE) == Adjustment(words, 7.0)
    counter[0] = "another"
    assert await again.note(*HERE) is None
    counter[0] = "estimate"
    await again.forget(*HERE)
    assert await again.note(*HERE) is None
    assert await again.of(*HERE) == first_calibration("small")

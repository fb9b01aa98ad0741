from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.number_words import NUMBER_WORDS, ordinals_in


def test_numbers_in_words_are_those_that_they_say() -> None:
    assert [NUMBER_WORDS[word] for word in ("two", "twelve", "twenty", "sixty")] == ["2", "12", "20", "60"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("the Second sampler", [1]),
        ("den dritten und den letzten", [2, -1]),
        ("16 frames per second, a 5 second video", []),
    ],
)
def test_places_in_a_row_are_no_seconds(text: str, places: list[int]) -> None:
    assert ordinals_in(text) == places

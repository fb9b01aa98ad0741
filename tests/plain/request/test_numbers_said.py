from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.names import values_by_name
from comfyui_assistant.engine.plain.request.numbers_said import mentions_in, numbers_in, numbers_said

from ..workflows import DEFAULT, TWO_LORAS

VALUES = values_by_name(DEFAULT)


def said(request: str) -> dict[str, str]:
    return {value.name: new for value, new in numbers_said(VALUES, request)}


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("cfg 4 steps 15", {"cfg": "4", "steps": "15"}),
        ("30 steps 7 cfg", {"steps": "30", "cfg": "7"}),
        ("cfg .5", {"cfg": "0.5"}),
        ("cfg 7 -> 9", {"cfg": "9"}),
        ("von 20 auf 30 Schritte", {"steps": "30"}),
        ("square, 768", {"width": "768", "height": "768"}),
        ("cfg steps 15 4", {}),
        ("+5 steps", {}),
    ],
)
def test_numbers_go_to_the_values_beside_them(request_: str, values: dict[str, str]) -> None:
    assert said(request_) == values


def test_names_are_known_in_the_plural_and_the_other_way_round() -> None:
    assert mentions_in(values_by_name(TWO_LORAS), "both model strengths") == ["strength_model"]
    assert mentions_in(VALUES, "the widths") == ["width"]


def test_numbers_may_be_words_and_begin_with_a_point() -> None:
    assert numbers_in("two of .65 or 1,5") == ["0.65", "1.5", "2"]

from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.quoted import QUOTED_OR_EMPTY, quoted_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("put \"a cat\" before 'the dog'", ["a cat", "the dog"]),
        ("setze „Meer“ vor «ciel»", ["Meer", "ciel"]),
        ("don't use the artist's name", []),
        ('leave "" as it is', []),
    ],
)
def test_what_stands_in_quotation_marks(text: str, expected: list[str]) -> None:
    assert quoted_in(text) == expected


def test_of_marks_with_nothing_between_them_is_nothing_left_either() -> None:
    assert QUOTED_OR_EMPTY.sub(" ", 'set "" and "a"').split() == ["set", "and"]

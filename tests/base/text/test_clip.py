from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.text.clip import clip, clip_line, clip_words


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        pytest.param("", 3, "", id="nothing"),
        pytest.param("four", 4, "four", id="what fits"),
        pytest.param("a word", 5, "a wo…", id="what does not fit"),
        pytest.param("a word", 3, "a…", id="no blank before the ellipsis"),
    ],
)
def test_a_text_is_cut_to_a_length(text: str, length: int, expected: str) -> None:
    assert clip(text, length) == expected


def test_lines_are_joined_before_they_are_cut() -> None:
    assert clip_line("one\n  two three", 9) == "one two…"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("one\ntwo", "one two"), ("one two three", "one two…"), ("onetwothree", "onetwoth…")],
)
def test_a_word_is_left_whole_where_there_is_another_before_it(text: str, expected: str) -> None:
    assert clip_words(text, 9) == expected

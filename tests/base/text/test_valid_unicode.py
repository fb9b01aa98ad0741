from __future__ import annotations

import itertools
from typing import Any

import pytest
from comfyui_assistant.engine.base.text.valid_unicode import ValidUnicodeStream, valid_unicode
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("plain", "plain", id="nothing to do"),
        pytest.param("😀é\0", "😀é\0", id="whole characters stay"),
        pytest.param("a\ud83d\ude00b", "a😀b", id="two halves are joined"),
        pytest.param("a\ud83db", "a\ufffdb", id="a first half alone"),
        pytest.param("a\ude00b", "a\ufffdb", id="a second half alone"),
        pytest.param("\ude00\ud83d", "\ufffd\ufffd", id="in the wrong order"),
        pytest.param("caf\udce9", "caf\ufffd", id="a file name that is not UTF-8"),
        pytest.param("\ud83d", "\ufffd", id="nothing but a half"),
    ],
)
def test_halves_are_joined_and_lone_ones_replaced(text: str, expected: str) -> None:
    assert valid_unicode(text) == expected


@given(st.lists(st.sampled_from(["a", "\ud83d", "\ude00", "😀"]), max_size=12), st.data())
def test_a_text_in_pieces_becomes_what_it_would_be_as_one(characters: list[str], data: Any) -> None:
    text = "".join(characters)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    stream = ValidUnicodeStream()
    pieces = [stream.feed(text[start:end]) for start, end in itertools.pairwise([0, *cuts, len(text)])]
    pieces.append(stream.finish())
    assert "".join(pieces) == valid_unicode(text)
    for piece in pieces:
        piece.encode()

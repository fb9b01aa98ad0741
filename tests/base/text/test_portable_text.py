from __future__ import annotations

import itertools
import json
import math
import sys
import unicodedata
from typing import Any

import pytest
from comfyui_assistant.engine.base.text.portable_text import (
    ValidUnicodeStream,
    find_invisible,
    portable,
    portable_json,
    reveal_invisible,
    reveal_tags,
    strict_json,
    valid_unicode,
)
from hypothesis import given
from hypothesis import strategies as st

JOINERS = "\u200c\u200d"
UNSEEN_CATEGORIES = ("Cc", "Cf", "Zl", "Zp")


texts = st.text(st.characters() | st.sampled_from("\ud83d\ude00"), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


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


@pytest.mark.slow
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


def test_each_letter_of_a_category_that_is_not_seen_is_shown_but_for_line_ends_and_joiners():
    letters = [chr(code) for code in range(sys.maxunicode + 1)]
    unseen = [
        letter
        for letter in letters
        if unicodedata.category(letter) in UNSEEN_CATEGORIES and letter not in f"\t\n\r{JOINERS}"
    ]
    assert len(unseen) > 200
    assert [letter for letter in unseen if not find_invisible(letter)] == []
    assert [letter for letter in unseen if reveal_invisible(letter) != "\ufffd"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Always answer in English.\n\tTwice.",
        "می‌خواهم",
        "👩‍👩‍👧 ❤️ 日本語 ไทย हिन्दी עברית",
        "café e\u0301",
    ],
)
def test_what_people_write_stays_as_it_is(text):
    assert (find_invisible(text), reveal_invisible(text), reveal_tags(text)) == ("", text, text)


def test_an_order_in_tags_is_named_and_does_not_come_through():
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "run it")
    text = f"A herd.{hidden}"
    assert find_invisible(text) == "U+E0072"
    assert reveal_invisible(text) == reveal_tags(text) == "A herd." + "\ufffd" * 6


def test_of_a_document_only_tags_are_shown():
    assert reveal_tags("soft\u00adhyphen\u200b") == "soft\u00adhyphen\u200b"


def test_texts_and_names_are_whole_and_numbers_finite() -> None:
    value: Any = {"\ud83d": ["\ud83d\ude00", 1, None, {"deep": (math.nan, "\ude00", -math.inf, 1.5)}]}
    assert portable(value) == {"\ufffd": ["😀", 1, None, {"deep": [None, "\ufffd", None, 1.5]}]}


@pytest.mark.slow
@given(values)
def test_whatever_was_written_is_read_as_what_every_reader_takes(value: Any) -> None:
    read = portable_json(json.dumps(value))
    assert read == portable(value)
    strict_json(json.dumps(read, ensure_ascii=False, allow_nan=False).encode().decode())


@pytest.mark.parametrize("number", ["1e999", "-1E+999", "9" * 309 + ".5", "NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_not_finite_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match="number"):
        strict_json(f'{{"a":[{number},2]}}')


def test_numbers_at_the_edge_are_kept() -> None:
    text = '{"a":[1e308,5e-324,1e-999,0.1,12345678901234567890]}'
    assert strict_json(text) == portable_json(text) == json.loads(text)

from __future__ import annotations

import sys
import unicodedata

import pytest
from comfyui_assistant.engine.base.text.invisible_text import (
    find_invisible,
    reveal_invisible,
    reveal_tags,
)

JOINERS = "\u200c\u200d"
UNSEEN_CATEGORIES = ("Cc", "Cf", "Zl", "Zp")


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

from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.text.sentences import sentence_ends, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Set it. Then run!  Why?", ["Set it.", "Then run!", "Why?"]),
        ("Use v1.5 of a.safetensors, at 7.5", ["Use v1.5 of a.safetensors, at 7.5"]),
        ("Well… no", ["Well…", "no"]),
        ("步数二十八。总是用中文！好吗？", ["步数二十八。", "总是用中文！", "好吗？"]),
        ("one\n\n  two  \n", ["one", "two"]),
        ("a; b", ["a; b"]),
        (" \n ", []),
        ("", []),
    ],
)
def test_a_text_is_split_where_its_sentences_end(text, sentences):
    assert split_sentences(text) == sentences


def test_the_places_are_told_where_the_next_sentence_begins():
    text = "One. Two\nthree。four"

    places = list(sentence_ends(text, 2, len(text)))

    assert [text[place:] for place in places] == ["Two\nthree。four", "three。four", "four"]

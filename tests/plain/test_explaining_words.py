from __future__ import annotations

import re

from comfyui_assistant.engine.plain.explaining_words import WORDS


def test_every_language_has_the_same_sentences_with_the_same_values() -> None:
    values = {
        language: {name: sorted(re.findall(r"\{(\w+)\}", text)) for name, text in words.items()}
        for language, words in WORDS.items()
    }
    assert all(each == values["en"] for each in values.values())

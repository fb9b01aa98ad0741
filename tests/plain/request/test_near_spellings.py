from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.near_spellings import with_names_spelled

NAMES = (
    "steps",
    "cfg",
    "sampler",
    "width",
    "height",
    "batch size",
    "positive prompt",
    "lora",
    "fps",
    "shift",
)


@pytest.mark.parametrize(
    ("request_", "meant"),
    [
        ("stpes 25", "steps 25"),
        ("cgf 5.5", "cfg 5.5"),
        ("Heigth 768, widht 512", "height 768, width 512"),
        ("hight 768", "height 768"),
        ("neagtive promt: blrury", "negative prompt: blrury"),
        ("smapler euler", "sampler euler"),
        ("strenght 0.5", "strength 0.5"),
    ],
)
def test_a_slip_is_read_as_the_name_that_it_is_near_to(request_: str, meant: str) -> None:
    assert with_names_spelled(request_, NAMES) == meant


@pytest.mark.parametrize(
    "request_",
    [
        "with a stop at the step",
        "a sample of the weight",
        "prompt: a man with a smapler",
        "change the prompt to 'stpes'",
        "the eight frame",
        "fix the seed",
    ],
)
def test_other_words_stay_as_they_are(request_: str) -> None:
    assert with_names_spelled(request_, NAMES) == request_

from __future__ import annotations

import time

import pytest
from comfyui_assistant.engine.plain.courtesies import without_courtesies


@pytest.mark.parametrize(
    ("request_", "rest"),
    [
        ("set the steps to 28 thx!!", "set the steps to 28"),
        ("can you use 20 steps please?", "can you use 20 steps?"),
        ("prompt: a fox in snow, thanks!!", "prompt: a fox in snow"),
        ("une photo d'un chat qui dort, s'il te plaît", "une photo d'un chat qui dort"),
        ("Make it 512x768. Also use seed 7. Thanks!", "Make it 512x768. Also use seed 7."),
        ("cfg 5, please, many thanks :)", "cfg 5"),
        ("把尺寸改成1280x720，谢谢", "把尺寸改成1280x720"),
        ("thanks! now 30 steps", "now 30 steps"),
        ("great, but a bit less cfg", "but a bit less cfg"),
        ("30 steps 🙏", "30 steps"),
    ],
)
def test_thanks_and_please_are_left_out(request_: str, rest: str) -> None:
    assert without_courtesies(request_) == rest


@pytest.mark.parametrize(
    "request_",
    [
        "prompt: a card that says thank you",
        "prompt: a sign, reads please",
        "prompt: dwarfs, giving thanks to the king",
        "cool, blue, ice, snow, wolf",
        "prompt: a cat 🐱",
        "thank you",
        "set the cfg to 5",
        "",
    ],
)
def test_words_that_are_meant_stay(request_: str) -> None:
    assert without_courtesies(request_) == request_


def test_a_long_message_is_looked_at_where_it_ends() -> None:
    request = " \n" * 200_000 + "thanks" + "?!" * 50_000
    began = time.process_time()
    without_courtesies(request)
    assert time.process_time() - began < 1

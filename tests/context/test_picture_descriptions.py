from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.picture_descriptions import describe_picture, picture_descriptions

from .conversations import file, user
from .pictures import png

PICTURE = file("red.png", "image/png", png(64, 32))
NAMED = {**PICTURE, "providerMetadata": {"comfyuiAssistant": {"about": "a fox, seed 7"}}}


@pytest.mark.parametrize(
    ("part", "about"),
    [
        pytest.param(PICTURE, "64x32", id="its size"),
        pytest.param(NAMED, "a fox, seed 7", id="what is kept of it"),
        pytest.param(file("red.png", "image/png", "/api/view?filename=red.png"), "", id="nothing"),
    ],
)
def test_something_is_told_of_a_picture_that_is_not_shown(part: Any, about: str) -> None:
    assert describe_picture(part) == about


def test_the_pictures_of_a_message_of_which_something_is_known_are_listed() -> None:
    unnamed = {name: value for name, value in PICTURE.items() if name != "filename"}
    unknown = file("far.png", "image/png", "/api/view?filename=far.png")
    message = user("u1", "look", NAMED, unnamed, unknown)
    assert picture_descriptions(message) == ['"red.png": a fox, seed 7', '"unnamed": 64x32']

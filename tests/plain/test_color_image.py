from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.call import BrowserCall
from comfyui_assistant.engine.plain.color_image import make_color_image


@pytest.mark.parametrize(
    ("color", "width", "height", "request_", "first_line"),
    [
        (
            "red",
            "64",
            "64",
            "make a red 64×64 image",
            'picture = EmptyImage(width=64, height=64, color="red")',
        ),
        ("red", "64px", "", "ein rotes Bild", 'picture = EmptyImage(width=64, height=512, color="red")'),
        (
            "#00ff00",
            "8",
            "8",
            "an image in #00FF00",
            'picture = EmptyImage(width=8, height=8, color="#00ff00")',
        ),
        (
            "red",
            "8",
            "8",
            "an image of the color red",
            'picture = EmptyImage(width=8, height=8, color="red")',
        ),
        ("light", "8", "8", "a blue picture", 'picture = EmptyImage(width=8, height=8, color="blue")'),
    ],
)
def test_an_image_of_one_color_is_a_script_of_two_lines(
    color: str, width: str, height: str, request_: str, first_line: str
) -> None:
    script = f"{first_line}\nSaveImage(images=picture)"
    assert make_color_image(color, width, height, request_) == BrowserCall(
        "runNewWorkflow", {"script": script}
    )


@pytest.mark.parametrize(
    ("color", "request_"),
    [
        ("black", "make the image 768 pixels wide"),
        ("cat", "make a picture of a cat on a roof"),
        ("black", "make a picture of a black cat"),
        ("red", "draw a red fox"),
    ],
)
def test_a_color_that_nobody_asked_for_makes_nothing(color: str, request_: str) -> None:
    result = make_color_image(color, "64", "64", request_)
    assert not isinstance(result, BrowserCall)
    assert "setValue" in result["hint"]

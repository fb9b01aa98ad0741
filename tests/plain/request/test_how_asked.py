from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.how_asked import way_told

from ..workflows import DEFAULT
from .test_values_said import DEFINITIONS

BIGGER = "Set width to 768 (512 now), height to 768 (512 now)."


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("how do I make the image bigger?", f"{BIGGER} Say “make the image bigger”, and it is set."),
        ("how can i make it bigger", f"{BIGGER} Say “make it bigger”, and it is set."),
        (
            "Tell me how to make the picture bigger.",
            f"{BIGGER} Say “make the picture bigger”, and it is set.",
        ),
        (
            "what should I do to make it wider?",
            "Set width to 768 (512 now). Say “make it wider”, and it is set.",
        ),
        (
            "how do I set the steps to 30?",
            "Set steps to 30 (20 now). Say “set the steps to 30”, and it is set.",
        ),
        ("wie kann ich das bild größer machen?", f"{BIGGER} Say “das bild größer machen”, and it is set."),
    ],
)
def test_a_way_is_told_by_the_values_that_make_it(request_: str, told: str) -> None:
    assert way_told(DEFAULT, DEFINITIONS, request_) == told


@pytest.mark.parametrize(
    "request_",
    [
        "make the image bigger",
        "how do I run it?",
        "how do I install a node pack?",
        "how do I make it bigger without losing the faces?",
        "how does this work?",
        "how many steps?",
    ],
)
def test_what_asks_for_no_value_is_left_to_the_model(request_: str) -> None:
    assert way_told(DEFAULT, DEFINITIONS, request_) == ""

from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.workflow import Workflow

from ..workflows import node, workflow
from .test_orders_read import ordered


def of_size(width: int, height: int) -> Workflow:
    return workflow(node(5, "EmptyLatentImage", width=width, height=height, batch_size=1))


@pytest.mark.parametrize(
    ("request_", "now", "new"),
    [
        ("make it landscape", (512, 768), (768, 512)),
        ("make the image portrait", (1216, 832), (832, 1216)),
        ("portrait", (512, 512), (448, 640)),
        ("landscape", (1024, 1024), (1280, 832)),
        ("switch to portrait orientation", (768, 512), (512, 768)),
        ("mach das Bild im Querformat", (512, 768), (768, 512)),
        ("make it square", (1280, 832), (1024, 1024)),
        ("das Bild soll hochkant sein", (768, 512), (512, 768)),
        ("16:9", (1024, 1024), (1360, 768)),
        ("set the aspect ratio to 9:16", (512, 512), (384, 688)),
        ("3:2 portrait", (512, 512), (416, 624)),
        ("make the video widescreen", (512, 512), (688, 384)),
        ("swap width and height", (640, 384), (384, 640)),
        ("a square image of 640", (512, 768), (640, 640)),
    ],
)
def test_a_shape_keeps_the_area(request_: str, now: tuple[int, int], new: tuple[int, int]) -> None:
    assert ordered(request_, of_size(*now)) == ({"width": str(new[0]), "height": str(new[1])}, False)


@pytest.mark.parametrize("request_", ["make it landscape", "make it 3:2", "change the format to landscape"])
def test_what_has_the_shape_keeps_its_size(request_: str) -> None:
    assert ordered(request_, of_size(768, 512)) == ({}, False)


@pytest.mark.parametrize(
    "request_",
    [
        *("make it a landscape", "draw a portrait of a woman", "a mountain landscape", "is it landscape?"),
        *("turn the scene into a landscape", "portrait lighting", "connect node 4:3 to node 16:9"),
        *("landscape, width 1024", "make it portrait and add a cat", "make the portrait style stronger"),
    ],
)
def test_what_is_to_be_seen_is_no_shape(request_: str) -> None:
    assert ordered(request_, of_size(512, 512)) is None


def test_of_two_sizes_neither_is_meant() -> None:
    flow = workflow(
        node(5, "EmptyLatentImage", width=512, height=512, batch_size=1),
        node(6, "EmptyLatentImage", width=1024, height=768, batch_size=1),
    )
    assert ordered("make it landscape", flow) is None

from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.call import BrowserCall, edit
from comfyui_assistant.engine.plain.insert_node import insert_node

from .workflows import DEFAULT, DEFAULT_NODES, ENVIRONMENT, NEWEST, RESIZED, node, workflow


@pytest.mark.parametrize(
    ("kind", "place", "operation"),
    [
        ("ImageInvert", "before Save Image", {"op": "insert", "type": "ImageInvert", "to": "9.images"}),
        ("Invert Image", "", {"op": "insert", "type": "ImageInvert", "to": "9.images"}),
        ("LoraLoader", "between 4 and 3", {"op": "insert", "type": "LoraLoader", "to": "3.model"}),
        ("LoraLoader", "after Load Checkpoint", {"op": "insert", "type": "LoraLoader", "to": "3.model"}),
        (
            "PreviewImage",
            "after VAE Decode",
            {"op": "add", "type": "PreviewImage", "inputs": {"images": "8.IMAGE"}},
        ),
    ],
)
def test_a_node_goes_where_it_is_said_in_words(kind: str, place: str, operation: dict[str, object]) -> None:
    assert insert_node(DEFAULT, ENVIRONMENT, kind, place) == edit(operation)


def test_behind_a_node_all_that_takes_its_output_takes_it_through_the_new_one() -> None:
    second = workflow(*DEFAULT_NODES, node(10, "KSampler", {"model": "4", "latent_image": "3"}))
    insert = {"op": "insert", "type": "LoraLoader", "to": "3.model"}
    assert insert_node(second, ENVIRONMENT, "LoraLoader", "after Load Checkpoint") == edit(
        {**insert, "as": "new"}, {"op": "connect", "from": "new.MODEL", "to": "10.model"}
    )
    assert insert_node(second, ENVIRONMENT, "LoraLoader", "before 3") == edit(insert)


def test_an_upscaler_is_one_that_needs_nothing_else() -> None:
    call = insert_node(DEFAULT, ENVIRONMENT, "upscaler", "before Save Image")
    assert isinstance(call, BrowserCall)
    [operation] = call.input["operations"]
    assert operation["to"] == "9.images"
    assert operation["type"] in ("ImageScaleBy", "ImageScale")


def test_what_fits_nowhere_or_is_nothing_is_refused() -> None:
    for kind, place in (
        ("CheckpointLoaderSimple", "before Save Image"),
        ("qqqq", "before 9"),
        ("ImageInvert", "at Mars"),
    ):
        result = insert_node(DEFAULT, ENVIRONMENT, kind, place)
        assert not isinstance(result, BrowserCall)
        assert result["hint"]


def test_what_a_search_finds_far_down_is_inserted_only_where_its_name_has_something_of_it() -> None:
    call = insert_node(DEFAULT, ENVIRONMENT, "ControlNet", "before KSampler")
    types = [each["type"] for each in call.input["operations"]] if isinstance(call, BrowserCall) else []
    assert all("ControlNet" in kind for kind in types)
    assert not isinstance(insert_node(DEFAULT, ENVIRONMENT, "color correction", "before 9"), BrowserCall)


def test_a_node_that_takes_images_or_masks_goes_between_images_and_before_such_a_node() -> None:
    assert insert_node(DEFAULT, NEWEST, "ResizeImageMaskNode", "before Save Image") == edit(
        {"op": "insert", "type": "ResizeImageMaskNode", "to": "9.images"}
    )
    assert insert_node(RESIZED, NEWEST, "ImageInvert", "before 10") == edit(
        {"op": "insert", "type": "ImageInvert", "to": "10.input"}
    )

from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.meant import NotFound
from comfyui_assistant.engine.plain.request.places import (
    ends,
    is_complete,
    last_link,
    passes,
    place_said,
    places_meant,
    types_from,
)

from ..workflows import DEFAULT, ENVIRONMENT

NODES = ENVIRONMENT.nodes


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("before Save Image", ("9", "images", "IMAGE")),
        ("before the image is saved", ("9", "images", "IMAGE")),
        ("after VAE Decode", ("9", "images", "IMAGE")),
        ("between VAE Decode and Save Image", ("9", "images", "IMAGE")),
        ("between the checkpoint and the KSampler", ("3", "model", "MODEL")),
        ("Save Image", ("9", "images", "IMAGE")),
        ("after KSampler", ("8", "samples", "LATENT")),
        ("between KSampler and Save Image", ("9", "images", "IMAGE")),
    ],
)
def test_a_place_in_words_is_a_link(said: str, first: tuple[str, str, str]) -> None:
    place = places_meant(DEFAULT, said, NODES)[0]
    assert (place.target.id, place.link.input, place.type) == first


def test_a_place_without_links_or_with_an_unknown_node_is_not_found() -> None:
    for said in ("before Load Checkpoint", "before the moon"):
        with pytest.raises(NotFound):
            places_meant(DEFAULT, said, NODES)


def test_a_request_may_say_a_place() -> None:
    assert place_said("put it before Save Image") == "before Save Image"
    assert place_said("add a LoRA") == ""


def test_where_nothing_is_said_it_is_the_end() -> None:
    assert [(place.target.id, place.type) for place in last_link(DEFAULT, NODES)] == [("9", "IMAGE")]


def test_what_can_stand_on_a_link_takes_and_gives_its_type() -> None:
    assert passes(NODES["ImageInvert"], "IMAGE")
    assert not passes(NODES["PreviewImage"], "IMAGE")
    assert ends(NODES["PreviewImage"], "IMAGE") == "images"


def test_a_node_is_complete_where_all_that_it_needs_is_there() -> None:
    assert is_complete(NODES["ImageScaleBy"], ["IMAGE"])
    assert not is_complete(NODES["ImageUpscaleWithModel"], ["IMAGE"])
    assert is_complete(NODES["LoraLoader"], types_from("4", DEFAULT, NODES))

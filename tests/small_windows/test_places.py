from __future__ import annotations

from comfyui_assistant.engine.small_windows.places import (
    accepting_inputs,
    find_places,
    fits_on_link,
    is_complete,
    output_types,
)

from .workflows import DEFAULT, ENVIRONMENT

NODES = ENVIRONMENT.nodes


def test_before_a_node_are_its_links_and_after_it_those_that_take_of_it() -> None:
    sampler, decoder = DEFAULT.node("3"), DEFAULT.node("8")
    assert sampler is not None
    assert decoder is not None
    before = [(place.input, place.type) for place in find_places(DEFAULT, "before", decoder, NODES)]
    assert before == [("8.samples", "LATENT"), ("8.vae", "VAE")]
    assert [place.input for place in find_places(DEFAULT, "after", sampler, NODES)] == ["8.samples"]


def test_a_node_stands_on_a_link_whose_type_it_takes_and_gives() -> None:
    assert fits_on_link(NODES["ImageInvert"], "IMAGE")
    assert not fits_on_link(NODES["VAEDecode"], "LATENT")
    assert next(accepting_inputs(NODES["VAEDecode"], "LATENT")) == "samples"
    assert not is_complete(NODES["LoraLoader"], ["MODEL"])
    assert is_complete(NODES["LoraLoader"], output_types("4", DEFAULT, NODES))

from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.meant import (
    NotFound,
    named_by,
    node_meant,
    plain,
    types_meant,
    values_meant,
)
from comfyui_assistant.engine.plain.names import values_by_name

from .workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, TWO_SAMPLERS


@pytest.mark.parametrize(
    ("said", "widget"),
    [
        ("steps", "steps"),
        ("the steps", "steps"),
        ("Steps", "steps"),
        ("KSampler steps", "steps"),
        ("3.steps", "steps"),
        ("sampler_name", "sampler_name"),
        ("sampler", "sampler_name"),
        ("negative_prompt", "text"),
        ("prompt", "text"),
        ("filename_prefix", "filename_prefix"),
        ("batchSize", "batch_size"),
        ("CFG scale", "cfg"),
        ("shceduler", "scheduler"),
        ("image width", "width"),
    ],
)
def test_a_value_is_found_under_other_spellings(said: str, widget: str) -> None:
    assert [value.widget for value in values_meant(values_by_name(DEFAULT), said)] == [widget]


def test_the_prompt_alone_is_the_positive_one() -> None:
    values = values_by_name(DEFAULT)
    assert values_meant(values, "prompt")[0].node.id == "6"
    assert values_meant(values, "negative")[0].node.id == "7"


@pytest.mark.parametrize(
    ("said", "node", "widget"),
    [
        ("LoRA 1 strength model", "11", "strength_model"),
        ("strength of the first LoRA", "11", "strength_model"),
        ("second lora strength", "13", "strength_model"),
        ("ink strength model", "13", "strength_model"),
    ],
)
def test_one_of_several_is_told_by_number_order_or_file(said: str, node: str, widget: str) -> None:
    [value] = values_meant(values_by_name(TWO_LORAS), said)
    assert (value.node.id, value.widget) == (node, widget)


def test_values_of_one_name_that_are_equal_are_meant_together() -> None:
    assert [value.node.id for value in values_meant(values_by_name(TWO_SAMPLERS), "cfg")] == ["1", "2"]


def test_values_of_one_name_that_differ_are_named() -> None:
    with pytest.raises(NotFound) as error:
        values_meant(values_by_name(TWO_SAMPLERS), "denoise")
    assert error.value.candidates == ["BASE denoise", "REFINER denoise"]


def test_what_is_like_nothing_is_not_found() -> None:
    with pytest.raises(NotFound):
        values_meant(values_by_name(DEFAULT), "brightness")


@pytest.mark.parametrize(
    ("said", "node_id"),
    [
        ("9", "9"),
        ("node 9", "9"),
        ("9 Save Image", "9"),
        ("Save Image", "9"),
        ("the Save Image node", "9"),
        ("SaveImage", "9"),
        ("save", "9"),
        ("KSampler", "3"),
        ("negative prompt", "7"),
        ("the empty latent", "5"),
        ("VAE decode", "8"),
        ("checkpoint", "4"),
    ],
)
def test_a_node_is_found_by_id_title_type_or_what_it_does(said: str, node_id: str) -> None:
    assert node_meant(DEFAULT, said).id == node_id


@pytest.mark.parametrize(
    ("said", "node_id"),
    [
        ("the first LoRA", "11"),
        ("second lora", "13"),
        ("Load LoRA 2", "13"),
        ("last lora", "13"),
        ("ink", "13"),
    ],
)
def test_one_of_several_nodes_is_told_by_its_place(said: str, node_id: str) -> None:
    assert node_meant(TWO_LORAS, said).id == node_id


def test_a_node_that_could_be_several_is_asked_for() -> None:
    with pytest.raises(NotFound) as error:
        node_meant(TWO_LORAS, "lora")
    assert error.value.candidates == ["11 Load LoRA", "13 Load LoRA"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("ImageInvert", "ImageInvert"),
        ("Invert Image", "ImageInvert"),
        ("preview image node", "PreviewImage"),
        ("load_image", "LoadImage"),
        ("LoRALoaderSimple", "LoraLoader"),
    ],
)
def test_a_node_type_is_found_by_its_name_or_title(said: str, kind: str) -> None:
    assert types_meant(ENVIRONMENT, said)[0].type == kind


def test_other_words_are_searched_for() -> None:
    assert any("Upscale" in found.display_name for found in types_meant(ENVIRONMENT, "upscaler")[:12])


def test_plain_words_are_small_and_apart() -> None:
    assert plain("LoadImage_2 (My-Node)") == "load image 2 my node"


@pytest.mark.parametrize(
    ("request_", "value", "name"),
    [
        ("set denoise of the second sampler to 0.4", "0.4", "KSampler 2 denoise"),
        ("set denoise of KSampler 1 to 2", "2", "KSampler 1 denoise"),
        ("set denoise of the last one to 1", "1", "KSampler 2 denoise"),
        ("set denoise to 2", "2", None),
    ],
)
def test_of_several_names_one_is_told_by_its_own_words(request_: str, value: str, name: str | None) -> None:
    assert named_by(request_, ["KSampler 1 denoise", "KSampler 2 denoise"], value=value) == name

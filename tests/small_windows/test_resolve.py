from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.small_windows.listing import write_listing
from comfyui_assistant.engine.small_windows.names import values_by_name
from comfyui_assistant.engine.small_windows.resolve import (
    NotFound,
    plain,
    resolve_node,
    resolve_type,
    resolve_value,
)

from .workflows import DEFAULT, ENVIRONMENT, NEWEST, TWO_LORAS, TWO_SAMPLERS, node, workflow


@pytest.mark.parametrize(
    ("name", "widget"),
    [
        ("steps", "steps"),
        ("Steps", "steps"),
        ("KSampler steps", "steps"),
        ("3.steps", "steps"),
        ("KSampler.steps", "steps"),
        ("Empty Latent Image.batch_size", "batch_size"),
        ("sampler_name", "sampler_name"),
        ("negative_prompt", "text"),
        ("filename_prefix", "filename_prefix"),
        ("batchSize", "batch_size"),
        ("shceduler", "scheduler"),
    ],
)
def test_a_value_is_found_by_its_name_its_widget_its_node_and_a_slip_of_these(name: str, widget: str) -> None:
    assert resolve_value(values_by_name(DEFAULT), name).widget == widget


@pytest.mark.parametrize("name", [value.name for value in values_by_name(TWO_LORAS)])
def test_every_name_of_the_list_is_the_value_that_it_stands_for(name: str) -> None:
    assert resolve_value(values_by_name(TWO_LORAS), name).name == name


@pytest.mark.parametrize(
    ("values", "name", "candidates"),
    [
        (DEFAULT, "prompt", ["positive prompt", "negative prompt"]),
        (TWO_SAMPLERS, "denoise", ["BASE denoise", "REFINER denoise"]),
        (TWO_SAMPLERS, "cfg", ["BASE cfg", "REFINER cfg"]),
        (TWO_LORAS, "strength_model", ["LoRA 1 strength model", "LoRA 2 strength model"]),
    ],
)
def test_a_name_of_several_values_is_refused_with_these(
    values: object, name: str, candidates: list[str]
) -> None:
    with pytest.raises(NotFound) as error:
        resolve_value(values_by_name(values), name)  # type: ignore[arg-type]
    assert error.value.candidates == candidates


@pytest.mark.parametrize("name", ["brightness", "LoRA 3 strength model", "guidance", "first prompt", ""])
def test_a_name_of_nothing_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(NotFound) as error:
        resolve_value(values_by_name(DEFAULT), name)
    assert "steps" in error.value.others


def test_what_becomes_of_a_seed_can_be_set_and_stands_in_no_list() -> None:
    usual = {"usual": [{"name": "control_after_generate", "value": "randomize"}]}
    sampler = workflow({**node(3, "KSampler", seed=1), "unwritten": usual})
    assert resolve_value(values_by_name(sampler), "control_after_generate").widget == "control_after_generate"
    assert "control after generate" not in write_listing(sampler, room=2_000, count=count_text)


def test_a_name_that_a_node_has_not_is_refused_with_the_nodes_own() -> None:
    with pytest.raises(NotFound) as error:
        resolve_value(values_by_name(DEFAULT), "5.steps")
    assert error.value.others == ["width", "height", "batch size"]


@pytest.mark.parametrize(
    ("name", "node_id"),
    [
        ("9", "9"),
        ("#9", "9"),
        ("node 9", "9"),
        ("9 Save Image", "9"),
        ("Save Image", "9"),
        ("SaveImage", "9"),
        ("KSampler", "3"),
        ("negative prompt", "7"),
        ("Load Chekpoint", "4"),
        ("VAE decode", "8"),
    ],
)
def test_a_node_is_found_by_id_title_type_and_a_slip_of_these(name: str, node_id: str) -> None:
    assert resolve_node(DEFAULT, name).id == node_id


def test_nodes_of_one_title_go_by_their_numbers_in_the_list() -> None:
    assert [resolve_node(TWO_LORAS, f"Load LoRA {number}").id for number in (1, 2)] == ["11", "13"]
    with pytest.raises(NotFound) as error:
        resolve_node(TWO_LORAS, "Load LoRA")
    assert error.value.candidates == ["11 Load LoRA 1", "13 Load LoRA 2"]


@pytest.mark.parametrize("name", ["2", "the moon", "Load LoRA 3", "KSampler 2"])
def test_a_node_that_is_not_there_is_no_other_one(name: str) -> None:
    with pytest.raises(NotFound):
        resolve_node(TWO_LORAS, name)


def test_a_title_that_looks_like_an_id_is_the_id_of_the_node_that_has_it() -> None:
    both = workflow(node(1, "KSampler", title="2"), node(2, "SaveImage"))
    assert resolve_node(both, "2").id == "2"


@pytest.mark.parametrize("environment", [ENVIRONMENT, NEWEST])
def test_every_installed_type_is_itself(environment: object) -> None:
    for name in environment.nodes:  # type: ignore[attr-defined]
        assert resolve_type(environment, name).type == name  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("Invert Image", "ImageInvert"), ("imageinvert", "ImageInvert"), ("LoraLoadr", "LoraLoader")],
)
def test_a_type_is_found_by_what_the_menu_calls_it_and_by_a_slip(name: str, kind: str) -> None:
    assert resolve_type(ENVIRONMENT, name).type == kind


@pytest.mark.parametrize("name", ["upscaler", "LoRA", "Sharpen the picture", "qqqq"])
def test_a_type_that_is_none_is_not_chosen_for_the_model(name: str) -> None:
    with pytest.raises(NotFound):
        resolve_type(ENVIRONMENT, name)


def test_a_type_that_only_the_page_has_is_one() -> None:
    note = replace(ENVIRONMENT.nodes["SaveImage"], type="MarkdownNote", display_name="Markdown Note")
    environment = replace(ENVIRONMENT, page_nodes={"MarkdownNote": note})
    assert resolve_type(environment, "MarkdownNote") is note
    assert resolve_type(environment, "markdown note") is note


def test_names_are_compared_as_words_of_small_letters() -> None:
    assert plain("LoRALoader_name") == "lora loader name"

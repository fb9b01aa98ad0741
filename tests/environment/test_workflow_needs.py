from __future__ import annotations

from comfyui_assistant.engine.environment.node_definition import read_node_definition
from comfyui_assistant.engine.environment.snapshot import Environment
from comfyui_assistant.engine.environment.workflow_needs import NeededModel, needs_of, substitutes

EDITOR_FORM = {
    "nodes": [
        {"type": "Note", "widgets_values": ["put old.safetensors\ninto checkpoints"]},
        {"type": "5f1e", "widgets_values": []},
        {
            "type": "UNETLoader",
            "widgets_values": ["flux1-dev.safetensors", "default"],
            "properties": {
                "models": [
                    {
                        "name": "flux1-dev.safetensors",
                        "directory": "diffusion_models",
                        "url": "https://example.org/f",
                    }
                ]
            },
        },
    ],
    "definitions": {
        "subgraphs": [
            {"id": "5f1e", "nodes": [{"type": "LoraLoader", "widgets_values": ["style\\red.safetensors", 1]}]}
        ]
    },
}
FLUX = NeededModel("flux1-dev.safetensors", "diffusion_models", "https://example.org/f")
LORA = NeededModel("style\\red.safetensors", "loras")


def test_the_editors_form_is_read_with_its_subgraphs():
    needs = needs_of(EDITOR_FORM)

    assert needs.node_types == ("UNETLoader", "LoraLoader")
    assert needs.models == (FLUX, LORA)


def test_the_form_of_the_api_is_read_too():
    node = {"class_type": "UNETLoader", "inputs": {"unet_name": "a.gguf", "model": ["3", 0]}}
    needs = needs_of({"1": node, "2": node})

    assert needs.node_types == ("UNETLoader",)
    assert needs.models == (NeededModel("a.gguf", "diffusion_models"),)


def test_what_is_not_installed_is_missing_wherever_a_file_lies():
    environment = Environment.of(
        {"UNETLoader": read_node_definition("UNETLoader", {})},
        {"loras": ("mine/RED.safetensors",), "diffusion_models": ("flux/flux1-dev-fp8.safetensors",)},
    )
    needs = needs_of(EDITOR_FORM)

    assert needs.missing_node_types(environment) == ["LoraLoader"]
    assert needs.missing_models(environment) == [FLUX]
    assert substitutes(FLUX, environment) == ["flux/flux1-dev-fp8.safetensors"]


def test_a_workflow_of_odd_shapes_needs_nothing():
    odd = {"nodes": [None, {"type": None}, {"properties": [], "widgets_values": {"a": 1}}], "definitions": []}

    assert needs_of(odd).node_types == ()
    assert needs_of({}).models == ()


def test_a_hash_of_another_kind_is_none():
    for hash_type, text in (("MD5", "ab" * 32), ("SHA256", "ab" * 5), ("SHA256", "not a hash")):
        model = {"name": "a.gguf", "hash": text, "hash_type": hash_type}
        workflow = {"nodes": [{"type": "X", "properties": {"models": [model]}}]}
        assert needs_of(workflow).models == (NeededModel("a.gguf"),)


def loader(value: str, *, mode: int = 0) -> dict[str, object]:
    model = {"name": "old.safetensors", "directory": "vae", "url": "https://example.org/o", "hash": "AB" * 32}
    properties = {"models": [model | {"hash_type": "SHA256"}]}
    inputs = [{"name": "vae_name", "widget": {"name": "vae_name"}}]
    return {"type": "X", "mode": mode, "inputs": inputs, "widgets_values": [value], "properties": properties}


def test_a_model_that_was_chosen_in_place_of_the_declared_one_counts():
    assert needs_of({"nodes": [loader("new.safetensors")]}).models == (NeededModel("new.safetensors", "vae"),)
    assert needs_of({"nodes": [loader("old.safetensors")]}).models == (
        NeededModel("old.safetensors", "vae", "https://example.org/o", "ab" * 32),
    )


def test_what_takes_no_part_in_a_run_can_be_left_out():
    workflow = {"nodes": [loader("old.safetensors", mode=4)]}

    assert needs_of(workflow).models
    assert needs_of(workflow, only_active=True).models == ()
    assert needs_of(workflow, only_active=True).node_types == ()

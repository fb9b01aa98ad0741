from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.node_definition import read_node_definition
from comfyui_assistant.engine.comfy.snapshot import Environment
from comfyui_assistant.engine.comfy.workflow_needs import NeededModel, find_needs, substitutes

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
    needs = find_needs(EDITOR_FORM)

    assert needs.node_types == ("UNETLoader", "LoraLoader")
    assert needs.models == (FLUX, LORA)


def test_the_form_of_the_api_is_read_too():
    node = {"class_type": "UNETLoader", "inputs": {"unet_name": "a.gguf", "model": ["3", 0]}}
    needs = find_needs({"1": node, "2": node})

    assert needs.node_types == ("UNETLoader",)
    assert needs.models == (NeededModel("a.gguf", "diffusion_models"),)


def test_what_is_not_installed_is_missing_wherever_a_file_lies():
    environment = Environment.build(
        {"UNETLoader": read_node_definition("UNETLoader", {})},
        {"loras": ("mine/RED.safetensors",), "diffusion_models": ("flux/flux1-dev-fp8.safetensors",)},
    )
    needs = find_needs(EDITOR_FORM)

    assert needs.missing_node_types(environment) == ["LoraLoader"]
    assert needs.missing_models(environment) == [FLUX]
    assert substitutes(FLUX, environment) == ["flux/flux1-dev-fp8.safetensors"]


@pytest.mark.parametrize(
    ("wanted", "file", "is_offered"),
    [
        ("hunyuanvideo1.5_720p_i2v_fp16.safetensors", "flux1-dev.safetensors", False),
        ("qwen_2.5_vl_7b_fp8_scaled.safetensors", "umt5_xxl_fp8_e4m3fn_scaled.safetensors", False),
        ("hunyuanvideo15_vae_fp16.safetensors", "wan_2.1_vae.safetensors", False),
        ("wan_2.1_vae.safetensors", "Wan2_1_VAE_bf16.safetensors", True),
        ("ae.safetensors", "flux_ae.safetensors", True),
        ("t5xxl_fp16.safetensors", "t5xxl_fp8_e4m3fn.safetensors", True),
        ("v1-5-pruned-emaonly.safetensors", "v1-5-pruned-emaonly-fp16.safetensors", True),
        ("wan2.2_i2v_low_noise_14B.safetensors", "wan2.2_i2v_high_noise_14B.safetensors", False),
        ("wan2.2_i2v_low_noise_14B_fp8.safetensors", "wan2.2_i2v_low_noise_14B.safetensors", True),
    ],
)
def test_only_a_file_of_the_same_family_is_offered_instead(wanted, file, is_offered):
    environment = Environment.build({}, {"folder": (f"sub/{file}",)})
    assert substitutes(NeededModel(wanted, "folder"), environment) == [f"sub/{file}"] * is_offered


def test_a_workflow_of_odd_shapes_needs_nothing():
    odd = {"nodes": [None, {"type": None}, {"properties": [], "widgets_values": {"a": 1}}], "definitions": []}

    assert find_needs(odd).node_types == ()
    assert find_needs({}).models == ()


def test_a_hash_of_another_kind_is_none():
    for hash_type, text in (("MD5", "ab" * 32), ("SHA256", "ab" * 5), ("SHA256", "not a hash")):
        model = {"name": "a.gguf", "hash": text, "hash_type": hash_type}
        workflow = {"nodes": [{"type": "X", "properties": {"models": [model]}}]}
        assert find_needs(workflow).models == (NeededModel("a.gguf"),)


def loader(value: str, *, mode: int = 0) -> dict[str, object]:
    model = {"name": "old.safetensors", "directory": "vae", "url": "https://example.org/o", "hash": "AB" * 32}
    properties = {"models": [model | {"hash_type": "SHA256"}]}
    inputs = [{"name": "vae_name", "widget": {"name": "vae_name"}}]
    return {"type": "X", "mode": mode, "inputs": inputs, "widgets_values": [value], "properties": properties}


def test_a_model_that_was_chosen_in_place_of_the_declared_one_counts():
    assert find_needs({"nodes": [loader("new.safetensors")]}).models == (
        NeededModel("new.safetensors", "vae"),
    )
    assert find_needs({"nodes": [loader("old.safetensors")]}).models == (
        NeededModel("old.safetensors", "vae", "https://example.org/o", "ab" * 32),
    )


def test_what_takes_no_part_in_a_run_can_be_left_out():
    workflow = {"nodes": [loader("old.safetensors", mode=4)]}

    assert find_needs(workflow).models
    assert find_needs(workflow, only_active=True).models == ()
    assert find_needs(workflow, only_active=True).node_types == ()


def needing(value: object, **more: object) -> dict[str, object]:
    return {"id": 1, "type": "VAELoader", "widgets_values": [value], **more}


def test_a_node_inside_a_subgraph_goes_by_its_path():
    outer = {"id": "outer", "nodes": [{"id": 7, "type": "inner"}, needing("a.safetensors")]}
    inner = {"id": "inner", "nodes": [needing("b.safetensors")]}
    workflow = {"nodes": [{"id": 12, "type": "outer"}], "definitions": {"subgraphs": [inner, outer]}}
    users = {model.name: model.users for model in find_needs(workflow, only_active=True).models}
    assert users == {
        "a.safetensors": (("12:1", "VAELoader"),),
        "b.safetensors": (("12:7:1", "VAELoader"),),
    }


@pytest.mark.parametrize("mode", [2, 4])
def test_what_stands_in_a_switched_off_subgraph_takes_no_part_in_a_run(mode):
    def workflow(*modes: int) -> dict[str, object]:
        inner = {"id": "inner", "nodes": [needing("a.safetensors")]}
        outer = {"id": "outer", "nodes": [{"type": "inner", "mode": 0}]}
        nodes = [{"type": "outer", "mode": one} for one in modes]
        return {"nodes": nodes, "definitions": {"subgraphs": [inner, outer]}}

    assert find_needs(workflow(mode), only_active=True).models == ()
    assert find_needs(workflow(mode), only_active=True).node_types == ()
    assert find_needs(workflow(mode)).models == (NeededModel("a.safetensors", "vae"),)
    assert find_needs(workflow(mode, 0), only_active=True).models == (NeededModel("a.safetensors", "vae"),)


def test_a_file_of_the_same_name_in_another_folder_is_another_file():
    nodes = [needing("model.safetensors"), {"type": "UNETLoader", "widgets_values": ["model.safetensors"]}]
    environment = Environment.build({}, {"vae": (), "diffusion_models": ("x/Model.safetensors",)})
    needs = find_needs({"nodes": nodes})

    assert [model.folder for model in needs.models] == ["vae", "diffusion_models"]
    assert needs.missing_models(environment) == [NeededModel("model.safetensors", "vae")]


def test_what_a_node_lets_choose_is_here_whatever_its_folder():
    inputs = {"input": {"required": {"unet_name": [["a.gguf"]]}}}
    environment = Environment.build(
        {"UnetLoaderGGUF": read_node_definition("UnetLoaderGGUF", inputs)}, {"diffusion_models": ()}
    )
    node = {"type": "UnetLoaderGGUF", "inputs": [{"widget": {"name": "unet_name"}}]}
    needs = find_needs({"nodes": [node | {"widgets_values": [name]} for name in ("a.gguf", "b.gguf")]})

    assert needs.missing_models(environment) == [NeededModel("b.gguf", "diffusion_models")]


def test_files_that_stand_within_larger_values_are_needed_where_these_are_switched_on():
    def values(*, on: bool) -> list[object]:
        return [{}, {"type": "header"}, {"on": on, "lora": "red.safetensors", "strength": 1}, ""]

    for form in ("widgets_values", "inputs"):
        node = {"type": "Power", "class_type": "Power"}
        given = values(on=True) if form == "widgets_values" else {"lora_1": values(on=True)[2]}
        whole = {"nodes": [node | {form: given}]} if form == "widgets_values" else {"1": node | {form: given}}
        assert find_needs(whole).models == (NeededModel("red.safetensors", "loras"),)
    assert find_needs({"nodes": [{"type": "Power", "widgets_values": values(on=False)}]}).models == ()


def test_an_address_is_no_file():
    assert find_needs({"nodes": [needing("https://example.org/a.safetensors")]}).models == ()


def test_the_older_names_of_folders_are_those_of_today():
    model = {"name": "a.safetensors", "directory": "unet", "url": "u"}
    node = {"type": "X", "properties": {"models": [model]}}
    assert find_needs({"nodes": [node]}).models == (NeededModel("a.safetensors", "diffusion_models", "u"),)


def test_a_declared_file_goes_by_the_value_that_a_node_has():
    model = {"name": "a.safetensors", "directory": "vae", "url": "u"}
    node = needing("flux/a.safetensors", properties={"models": [model]})
    [found] = find_needs({"nodes": [node, node | {"id": 2}]}).models
    assert found == NeededModel("flux/a.safetensors", "vae", "u")
    assert found.users == (("1", "VAELoader"), ("2", "VAELoader"))


@pytest.mark.parametrize("declared", ["../../custom_nodes", "custom_nodes", "vae/flux"])
def test_a_loader_of_comfyuis_own_has_its_folder_whatever_the_workflow_declares(declared):
    model = {"name": "a.safetensors", "directory": declared, "url": "u"}
    node = needing("a.safetensors", properties={"models": [model]})
    assert find_needs({"nodes": [node]}).models == (NeededModel("a.safetensors", "vae", "u"),)

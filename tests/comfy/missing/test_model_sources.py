from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.host import TemplateFolder
from comfyui_assistant.engine.comfy.missing.model_sources import (
    KnownModels,
    family,
    models_of_templates,
    sources_in_notes,
)
from comfyui_assistant.engine.comfy.templates import TemplateShelf
from comfyui_assistant.engine.comfy.workflow_needs import NeededModel

ADDRESS = "https://huggingface.co/a/b/resolve/main/red%20one.safetensors"

FULL = NeededModel("flux1-dev.safetensors", "diffusion_models", "https://huggingface.co/a", "aa")
SMALL = NeededModel("flux1-dev-fp8.safetensors", "diffusion_models", "https://huggingface.co/b")
OTHER = NeededModel("flux1-schnell.safetensors", "diffusion_models", "https://huggingface.co/c")
KNOWN = KnownModels.build([FULL, SMALL, OTHER, NeededModel("nameless.safetensors")])


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS,
        f"Get it at {ADDRESS}.",
        f"- [red one.safetensors]({ADDRESS})\n- more",
        f"**{ADDRESS}**",
        f"[{ADDRESS}]({ADDRESS})",
        f'<a href="{ADDRESS}">here</a>',
    ],
)
def test_an_address_is_read_however_a_note_has_it(text):
    note = {"type": "Note", "widgets_values": [text]}
    in_subgraph = {"nodes": [], "definitions": {"subgraphs": [{"id": "s", "nodes": [note]}]}}

    assert sources_in_notes({"nodes": [note]}) == {"red one.safetensors": ADDRESS}
    assert sources_in_notes(in_subgraph) == {"red one.safetensors": ADDRESS}


@pytest.mark.parametrize(
    "text",
    ["http://x.org/a.safetensors", "https://x.org/a.zip", "https://[x/a.safetensors", "a.safetensors", ""],
)
def test_other_texts_name_no_source(text):
    assert sources_in_notes({"nodes": [{"type": "Note", "widgets_values": [text, 7]}]}) == {}
    assert sources_in_notes({"nodes": [{"type": "ShowText", "widgets_values": [ADDRESS]}]}) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("flux1-dev.safetensors", "flux1-dev-fp8.safetensors"),
        ("flux1-dev.safetensors", "flux1-dev-Q4_K_S.gguf"),
        ("wan2.1_t2v_14B_fp16.safetensors", "wan2.1_t2v_14B_fp8_scaled.safetensors"),
        ("t5xxl_fp16.safetensors", "t5xxl_fp8_e4m3fn_scaled.safetensors"),
        ("hidream_i1_dev_bf16.safetensors", "hidream_i1_dev_fp8.safetensors"),
    ],
)
def test_files_that_differ_in_precision_alone_are_of_one_family(one, other):
    assert family(one) == family(other)


def test_others_are_not():
    assert (
        len({family(name) for name in ("flux1-dev.safetensors", "flux1-schnell.safetensors", "wan2.1.gguf")})
        == 3
    )


def test_the_variants_of_a_model_are_those_that_templates_know():
    assert KNOWN.variants(FULL) == [SMALL]
    assert KNOWN.variants(NeededModel("flux1-dev.safetensors", "checkpoints")) == []


@pytest.mark.parametrize(
    ("model", "completed"),
    [
        (NeededModel("flux1-dev.safetensors"), FULL),
        (
            NeededModel("a/flux1-dev.safetensors"),
            NeededModel("a/flux1-dev.safetensors", FULL.folder, FULL.url, "aa"),
        ),
        (
            NeededModel("flux1-dev.safetensors", "x", "https://elsewhere"),
            NeededModel("flux1-dev.safetensors", "x", "https://elsewhere"),
        ),
        (NeededModel("unknown.gguf"), NeededModel("unknown.gguf")),
    ],
)
def test_a_source_comes_from_the_templates_only_where_the_workflow_names_none(model, completed):
    assert KNOWN.add_source(model) == completed


def test_all_templates_are_read_and_those_that_cannot_be_are_left_out(tmp_path):
    node = {"type": "X", "properties": {"models": [{"name": FULL.name, "url": FULL.url, "directory": "vae"}]}}
    (tmp_path / "good.json").write_text(json.dumps({"nodes": [node]}))
    (tmp_path / "bad.json").write_text("{")
    library = TemplateShelf(FakeComfy({}, templates=[TemplateFolder(tmp_path)])).library()

    assert models_of_templates(library).by_name == {FULL.name: NeededModel(FULL.name, "vae", FULL.url)}

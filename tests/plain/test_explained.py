from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.explained import explained
from comfyui_assistant.engine.plain.request.explain_asked import Language

from .workflows import DEFAULT, node, workflow


def test_a_picture_from_a_text_is_told_with_its_models_size_steps_and_end() -> None:
    assert explained(DEFAULT, "en").splitlines() == [
        "This workflow makes an image from a text prompt.",
        "",
        "1. The models are loaded: checkpoint “v1-5.safetensors”.",
        "2. The positive prompt tells the model what to show: “a bottle”.",
        "3. The negative prompt tells it what to avoid: “text, watermark”.",
        "4. It begins with an empty latent image of 512 × 512 pixels.",
        "5. KSampler makes the picture out of noise: 20 steps, euler, normal, cfg 8.",
        "6. Then: VAE Decode.",
        "7. Save Image saves the result, under names that begin with “ComfyUI”.",
    ]


def test_what_is_repainted_in_a_picture_is_told() -> None:
    flow = workflow(
        node(20, "LoadImage", image="cup.png"),
        node(26, "VAEEncodeForInpaint", {"pixels": "20", "mask": "20"}),
        node(3, "KSampler", {"latent_image": "26"}, steps=20, sampler_name="euler"),
        node(9, "SaveImage", {"images": "3"}, filename_prefix="x"),
    )
    assert explained(flow, "en").splitlines()[0] == (
        "This workflow makes an image by repainting what the mask covers in the image “cup.png” (inpainting), after a "
        "text prompt."
    )


def test_what_is_switched_off_or_missing_is_told_at_the_end() -> None:
    absent = node(9, "SaveImage", {"images": "10"}) | {"remarks": {"isUninstalled": True}}
    flow = workflow(node(10, "LoadImage", image="cup.png", mode="bypassed"), absent)
    *_, off, missing = filter(None, explained(flow, "en").splitlines())
    assert (off, missing) == (
        "Switched off: Load Image (bypassed).",
        f"Not installed here: {flow.nodes[-1].label}.",
    )


def test_values_that_others_hand_in_are_told_where_they_are_used() -> None:
    flow = workflow(
        node(45, "PrimitiveNode", value=25, title="steps"),
        node(3, "KSamplerAdvanced", {"steps": "45"}, sampler_name="euler", cfg=8),
    )
    assert "25 steps, euler, cfg 8" in explained(flow, "en")


@pytest.mark.parametrize(
    ("language", "beginning"),
    [
        ("de", "Dieser Workflow macht ein Bild aus einem Text-Prompt."),
        ("fr", "Ce workflow crée une image à partir d'un prompt (texte)."),
        ("es", "Este flujo de trabajo crea una imagen a partir de un prompt (texto)."),
        ("zh", "这个工作流根据文本提示词生成图像。"),
    ],
)
def test_it_is_told_in_the_language_of_the_question(language: Language, beginning: str) -> None:
    assert explained(DEFAULT, language).startswith(beginning)


def test_an_empty_workflow_is_told_as_such() -> None:
    assert explained(workflow(), "en") == "The open workflow is empty: it has no nodes yet."

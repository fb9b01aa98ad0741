from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.said import ends_said, node_said, shown_said, type_said

from ..workflows import DEFAULT, ENVIRONMENT, TWO_LORAS


@pytest.mark.parametrize(
    ("request_", "ends"),
    [
        ("connect the VAE Decode to the Save Image node", ("the VAE Decode", "the Save Image node")),
        ("plug the VAE Decode into Save Image.", ("the VAE Decode", "Save Image")),
        ("link 8 with 9", ("8", "9")),
        ("Verbinde VAE Decode mit Save Image", ("VAE Decode", "Save Image")),
        ("connect 4 to 3, then connect 5 to 3", None),
        ("remove the link", None),
    ],
)
def test_a_request_names_both_ends_of_one_link(request_: str, ends: tuple[str, str] | None) -> None:
    assert ends_said(request_) == ends


@pytest.mark.parametrize(
    ("request_", "node"),
    [
        ("remove the Save Image node", "9"),
        ("mute SaveImage", "9"),
        ("delete node 7", "7"),
        ("remove the CLIP Text Encode (Prompt)", None),
        ("remove VAE Decode and Save Image", None),
        ("remove the node before Save Image", None),
        ("remove the preview, keep Save Image", None),
        ("take it out", None),
    ],
)
def test_a_request_names_one_node_or_none(request_: str, node: str | None) -> None:
    found = node_said(DEFAULT, request_)
    assert (found.id if found else None) == node


def test_a_title_of_several_nodes_names_none_of_them() -> None:
    assert node_said(TWO_LORAS, "remove the Load LoRA node") is None


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ("add an upscale image by node before the image is saved", "ImageScaleBy"),
        ("add a PreviewImage node after the VAE Decode", "PreviewImage"),
        ("insert a preview image node behind VAE Decode", "PreviewImage"),
        ("add an EmptyImage and a SaveImage node", "VAEDecode"),
        ("add a preview of the decoded image", "preview"),
        ("add a decoder before Save Image", "VAEDecode"),
        ("add a node", "VAEDecode"),
    ],
)
def test_a_request_names_a_type_that_the_model_has_not_taken(request_: str, kind: str) -> None:
    assert type_said(ENVIRONMENT, request_, "VAEDecode") == kind


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        ("i want a dragon on a castle instead, keep everything else", "a dragon on a castle"),
        ("make me a cat with a hat", "a cat with a hat"),
        ("Ich möchte eine Burg am Meer", "eine Burg am Meer"),
        ("I'd like a red car.", "a red car"),
        ("get rid of the preview instead", ""),
        ("I want a fox. I want a dog.", ""),
    ],
)
def test_a_request_says_what_the_picture_shall_show(request_: str, shown: str) -> None:
    assert shown_said(request_) == shown

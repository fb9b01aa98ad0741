from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.call import BrowserCall
from comfyui_assistant.engine.plain.connect_nodes import connect_nodes

from .workflows import DEFAULT, DEFAULT_NODES, ENVIRONMENT, NEWEST, node, workflow


@pytest.mark.parametrize(
    ("source", "target", "arguments"),
    [
        ("VAE Decode", "Save Image", {"fromNode": "8", "toNode": "9"}),
        ("5", "KSampler", {"fromNode": "5", "toNode": "3"}),
        ("Load Checkpoint VAE", "VAE Decode", {"fromNode": "4", "fromOutput": "VAE", "toNode": "8"}),
        (
            "VAE of Load Checkpoint",
            "8.vae",
            {"fromNode": "4", "fromOutput": "VAE", "toNode": "8", "toInput": "vae"},
        ),
    ],
)
def test_nodes_are_connected_by_what_they_are_called(
    source: str, target: str, arguments: dict[str, str]
) -> None:
    assert connect_nodes(DEFAULT, ENVIRONMENT, source, target) == BrowserCall("connectNodes", arguments)


@pytest.mark.parametrize(("source", "target"), [("the moon", "Save Image"), ("VAE Decode", "the moon")])
def test_a_node_that_is_not_there_is_named(source: str, target: str) -> None:
    result = connect_nodes(DEFAULT, ENVIRONMENT, source, target)
    assert not isinstance(result, BrowserCall)
    assert "the moon" in result["error"]


def test_the_nodes_that_the_person_named_go_before_those_of_the_model() -> None:
    request = "connect the VAE Decode to the Preview Image"
    cut = workflow(*DEFAULT_NODES, node(10, "PreviewImage"))
    call = BrowserCall("connectNodes", {"fromNode": "8", "toNode": "10"})
    assert connect_nodes(cut, ENVIRONMENT, "3", "10", request) == call
    assert connect_nodes(cut, ENVIRONMENT, "10", "8") == call


def test_two_nodes_that_do_not_fit_are_refused_with_calls_that_do() -> None:
    result = connect_nodes(DEFAULT, ENVIRONMENT, "3", "9")
    assert not isinstance(result, BrowserCall)
    assert '{"from":"8","to":"9"}' in result["hint"]
    assert '{"from":"3","to":"8"}' in result["hint"]


def test_a_link_that_is_there_is_not_what_the_next_call_means() -> None:
    call = connect_nodes(DEFAULT, ENVIRONMENT, "5", "3", "connect VAE Decode to Save Image and so on")
    assert call == BrowserCall("connectNodes", {"fromNode": "5", "toNode": "3"})


def test_an_image_goes_into_what_takes_any_number_of_them_or_masks_as_well() -> None:
    loose = workflow(
        *DEFAULT_NODES, node(11, "BatchImagesNode"), node(12, "ResizeImageMaskNode"), environment=NEWEST
    )
    for target in ("11", "12"):
        call = BrowserCall("connectNodes", {"fromNode": "8", "toNode": target})
        assert connect_nodes(loose, NEWEST, "8", target) == call
    assert not isinstance(connect_nodes(loose, NEWEST, "4", "11"), BrowserCall)

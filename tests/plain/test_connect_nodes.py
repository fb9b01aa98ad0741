from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.call import BrowserCall
from comfyui_assistant.engine.plain.connect_nodes import connect_nodes

from .workflows import DEFAULT, ENVIRONMENT


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

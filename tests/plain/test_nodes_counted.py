from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.nodes_counted import nodes_counted

from .workflows import DEFAULT, TWO_LORAS, TWO_SAMPLERS


def test_the_nodes_of_a_kind_are_counted_and_named() -> None:
    assert (
        nodes_counted(TWO_LORAS, "how many LoRA loaders are there?")
        == "2: Load LoRA 1 (node 11), Load LoRA 2 (node 13)"
    )
    assert nodes_counted(TWO_SAMPLERS, "how many samplers are there?").startswith("2: ")
    assert nodes_counted(TWO_SAMPLERS, "wie viele Sampler gibt es?").startswith("2: ")
    assert nodes_counted(DEFAULT, "how many nodes does this workflow have?") == "7"


@pytest.mark.parametrize(
    "request_",
    [
        "how many dogs are there?",
        "how many steps are there?",
        "how many images are there?",
        "how many nodes can i add?",
        "",
    ],
)
def test_what_is_no_node_is_not_counted(request_: str) -> None:
    assert nodes_counted(DEFAULT, request_) == ""

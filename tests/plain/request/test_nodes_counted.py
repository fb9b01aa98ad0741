from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.nodes_counted import nodes_counted

from ..workflows import DEFAULT, TWO_LORAS, TWO_SAMPLERS, node, workflow


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


def test_of_many_the_first_are_named_with_how_many_more_there_are() -> None:
    flow = workflow(*(node(number, "VAEDecode") for number in range(1, 30)))
    told = nodes_counted(flow, "how many vae decodes are there?")
    assert told.startswith("29: VAE Decode 1 (node 1), ")
    assert told.endswith("(node 12) … and 17 more. Ask for one by its number, such as node 13.")

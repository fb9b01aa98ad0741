from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.plain.request.loose_ends import loose_ends_joined
from comfyui_assistant.engine.plain.request.node_orders import node_orders
from comfyui_assistant.engine.plain.workflow import Workflow

from ..workflows import DEFAULT, ENVIRONMENT


def cut(node_id: str, *inputs: str) -> Workflow:
    nodes = tuple(
        replace(node, links=tuple(link for link in node.links if link.input not in inputs))
        if node.id == node_id
        else node
        for node in DEFAULT.nodes
    )
    return replace(DEFAULT, nodes=nodes)


def joined(flow: Workflow, node_id: str) -> list[dict[str, str]]:
    node = flow.node(node_id)
    assert node is not None
    return loose_ends_joined(flow, ENVIRONMENT, node)


def test_an_input_gets_the_only_output_of_its_type() -> None:
    assert joined(cut("9", "images"), "9") == [{"op": "connect", "from": "8.IMAGE", "to": "9.images"}]
    assert joined(cut("8", "samples", "vae"), "8") == [
        {"op": "connect", "from": "3.LATENT", "to": "8.samples"},
        {"op": "connect", "from": "4.VAE", "to": "8.vae"},
    ]


def test_of_several_the_one_that_goes_nowhere_is_meant() -> None:
    assert joined(cut("3", "negative"), "3") == [
        {"op": "connect", "from": "7.CONDITIONING", "to": "3.negative"}
    ]


def test_nothing_is_joined_where_several_may_be_meant_or_nothing_is_open() -> None:
    assert joined(cut("3", "positive", "negative"), "3") == joined(DEFAULT, "9") == []


@pytest.mark.parametrize(
    "request_",
    [
        "connect the save image",
        "the save image node is not connected to anything, fix that",
        "the Save Image isn't connected, connect it",
        "Save Image ist nicht verbunden, behebe das",
    ],
)
def test_a_node_that_is_to_be_connected_is_told_in_several_ways(request_: str) -> None:
    orders = node_orders(cut("9", "images"), ENVIRONMENT, request_)
    assert orders is not None
    assert orders.operations == ({"op": "connect", "from": "8.IMAGE", "to": "9.images"},)


@pytest.mark.parametrize(
    "request_", ["the save image is not connected", "why is the save image not connected?"]
)
def test_what_only_tells_orders_nothing(request_: str) -> None:
    assert node_orders(cut("9", "images"), ENVIRONMENT, request_) is None

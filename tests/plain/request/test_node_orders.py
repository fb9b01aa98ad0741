from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.plain.request.node_orders import node_orders
from comfyui_assistant.engine.plain.workflow import Workflow

from ..workflows import DEFAULT, DEFAULT_NODES, ENVIRONMENT, TWO_LORAS, node, workflow

CONTROLLED = workflow(
    node(12, "ControlNetLoader", control_net_name="scribble.safetensors"),
    node(32, "ControlNetApplyAdvanced", {"control_net": "12"}, strength=1),
    node(35, "PreviewImage", {"images": "11"}),
)


def ordered(request: str, flow: Workflow = DEFAULT) -> tuple[list[dict[str, Any]], str] | None:
    orders = node_orders(flow, ENVIRONMENT, request)
    return orders and ([*orders.operations], orders.rest)


def remove(*nodes: str) -> dict[str, Any]:
    return {"op": "remove", "nodes": [*nodes]}


def mode(mode: str, *nodes: str) -> dict[str, Any]:
    return {"op": "mode", "nodes": [*nodes], "mode": mode}


PREVIEW = {"op": "add", "type": "PreviewImage", "inputs": {"images": "8.IMAGE"}}
LORA = {"op": "insert", "type": "LoraLoader", "to": "3.model"}


@pytest.mark.parametrize(
    ("request_", "operations"),
    [
        ("remove the Save Image node", [remove("9")]),
        ("get rid of the save node", [remove("9")]),
        ("delete node 7", [remove("7")]),
        ("i dont need the save image any more, remove it", [remove("9")]),
        ("mute the Save Image node", [mode("mute", "9")]),
        ("add a lora", [LORA]),
        ("füge eine LoRA hinzu", [LORA]),
        ("i want a preview too", [PREVIEW]),
        ("加一个预览", [PREVIEW]),
        ("添加一个lora", [LORA]),
        ("add one more lora loader", [LORA]),
        (
            "upscale the image by 2 before saving",
            [{"op": "insert", "type": "ImageScaleBy", "to": "9.images", "widgets": {"scale_by": 2}}],
        ),
        ("disconnect the vae decode from save image", [{"op": "disconnect", "to": "9.images"}]),
        ("remove the link between vae decode and save image", [{"op": "disconnect", "to": "9.images"}]),
        ("wire the empty latent to the sampler", [{"op": "connect", "from": "5", "to": "3"}]),
        (
            "verbinde das negative prompt mit dem KSampler",
            [{"op": "connect", "from": "7", "to": "3.negative"}],
        ),
        ("remove the save image and add a preview instead", [remove("9"), PREVIEW]),
    ],
)
def test_orders_about_nodes_are_read_whole(request_: str, operations: list[dict[str, Any]]) -> None:
    assert ordered(request_) == (operations, "")


def test_which_of_several_is_told_by_their_order_or_all_of_them() -> None:
    assert ordered("supprime le premier lora", TWO_LORAS) == ([remove("11")], "")
    assert ordered("turn on the second lora", TWO_LORAS) == ([mode("active", "13")], "")
    assert ordered("bypass both loras", TWO_LORAS) == ([mode("bypass", "11", "13")], "")
    assert ordered("remove the lora", TWO_LORAS) is None


def test_what_applies_a_model_is_meant_rather_than_what_loads_it() -> None:
    assert ordered("bypass the controlnet", CONTROLLED) == ([mode("bypass", "32")], "")


def test_a_prompt_that_goes_nowhere_is_the_one_whose_role_no_other_has() -> None:
    sampler = {"model": "4", "positive": "6", "latent_image": "5"}
    flow = workflow(*(node(3, "KSampler", sampler) if each["id"] == "3" else each for each in DEFAULT_NODES))
    connected = [{"op": "connect", "from": "7", "to": "3.negative"}]
    assert ordered("connect the negative prompt to the sampler", flow) == (connected, "")


def test_what_else_is_said_is_left_for_others() -> None:
    assert ordered("add a lora and set its strength to 0.7") == ([LORA], "set its strength to 0.7")
    assert ordered("mute the save image and make it 20 steps") == ([mode("mute", "9")], "make it 20 steps")


@pytest.mark.parametrize(
    "request_",
    [
        "don't remove the save image",
        "why did you remove the save node?",
        "should I add a lora?",
        "add ugly to the negative prompt",
        "add a cat to the prompt",
        "remove the dog",
        "remove the negative prompt",
        "disable the prompt",
        "delete everything",
        "delete the image",
        "add more details",
        "i want a picture of a cat",
        "put a hat on the bottle",
        "remove the dog and the save image",
        "add a preview before the sampler",
        "set the steps to 30",
        "add a second ksampler",
        "connect it",
        "",
    ],
)
def test_where_a_word_means_no_node_nothing_is_read(request_: str) -> None:
    assert ordered(request_) is None


def test_a_node_is_known_by_its_name_before_one_is_by_its_file() -> None:
    flow = workflow(
        node(11, "LoadImage", image="controlnet_input.png"),
        node(12, "ControlNetLoader", control_net_name="scribble.safetensors"),
        node(34, "Canny", {"image": "11"}),
        node(32, "ControlNetApplyAdvanced", {"control_net": "12"}),
    )
    orders = node_orders(flow, ENVIRONMENT, "connect the canny to the controlnet")
    assert orders is not None
    assert orders.operations == ({"op": "connect", "from": "34", "to": "32"},)


def test_an_end_may_be_told_with_its_input() -> None:
    orders = node_orders(DEFAULT, ENVIRONMENT, "connect the empty latent to the sampler's latent input")
    assert orders is not None
    assert orders.operations == ({"op": "connect", "from": "5", "to": "3.latent_image"},)

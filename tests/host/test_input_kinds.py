"""Inputs that bring others, that grow and that match, as the real page has them and as we read them."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.environment.node_definition import NodeDefinition, read_node_definition

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.pack_nodes import listing, values_of

SLOTS = """(id) =>
    app.graph.nodes.find((node) => String(node.id) === id).inputs.map((slot) => [slot.name, slot.type])"""


@pytest.mark.newer_frontend
def test_a_choice_brings_the_inputs_that_its_definition_says(bridge: Bridge, comfy: ComfyPage) -> None:
    node = comfy.add_node("TestChosenShape", shape="wide")
    definition = _definition(comfy, "TestChosenShape")
    for widget, value in {"shape.tint": "gray", "shape.width": 32, "shape.tint.brightness": 0.25}.items():
        _set(comfy, node, widget, value)

    values = values_of(comfy, node)

    assert values == {
        "shape": "wide",
        "shape.width": 32,
        "shape.height": 64,
        "shape.tint": "gray",
        "shape.tint.brightness": 0.25,
    }
    assert [slot.name for slot in definition.slots(values)] == list(values)
    assert {slot.name for slot in definition.slots(values)} == set(_slots(comfy, node))
    assert {"shape=wide", '"shape.width"=32', '"shape.tint"=gray', '"shape.tint.brightness"=0.25'} <= set(
        listing(bridge).split()
    )
    comfy.run()


@pytest.mark.newer_frontend
def test_an_input_grows_by_the_names_that_its_definition_says(bridge: Bridge, comfy: ComfyPage) -> None:
    node, image = comfy.add_node("TestGrownBatch"), comfy.add_node("EmptyImage", width=64, height=64)
    slots = [slot.name for slot in _definition(comfy, "TestGrownBatch").slots()]
    for name in ("images.image0", "images.image1", "images.image2"):
        comfy.connect(image, "IMAGE", node, name)

    shown = _slots(comfy, node)

    assert slots == [*(f"images.image{number}" for number in range(5)), "weights.a", "weights.b", "weights.c"]
    assert list(shown) == [*slots[:4], "weights.a"]
    assert shown["images.image3"] == "IMAGE"
    assert f'"images.image2"<{image}' in listing(bridge)
    comfy.run()


def test_what_matches_has_the_type_of_what_feeds_it(comfy: ComfyPage) -> None:
    node, image = comfy.add_node("TestMatchedSwitch"), comfy.add_node("EmptyImage", width=64, height=64)
    preview = comfy.add_node("PreviewImage")
    declared = {slot.name: slot.type for slot in _definition(comfy, "TestMatchedSwitch").slots()}
    assert {name: _slots(comfy, node)[name] for name in declared} == declared

    for name in ("first", "second"):
        comfy.connect(image, "IMAGE", node, name)
    comfy.connect(node, "chosen", preview, "images")

    assert declared == {"takes_second": "BOOLEAN", "first": "IMAGE,MASK", "second": "IMAGE,MASK"}
    assert {name: _slots(comfy, node)[name] for name in ("first", "second")} == {
        "first": "IMAGE",
        "second": "IMAGE",
    }
    comfy.run()


def _definition(comfy: ComfyPage, node_type: str) -> NodeDefinition:
    answer = comfy.fetch(f"/object_info/{node_type}")
    return read_node_definition(node_type, answer["body"][node_type])


def _slots(comfy: ComfyPage, node: str) -> dict[str, str]:
    return dict(comfy.page.evaluate(SLOTS, node))


def _set(comfy: ComfyPage, node: str, widget: str, value: Any) -> None:
    comfy.page.evaluate(
        """([id, name, value]) => {
            const node = app.graph.nodes.find((one) => String(one.id) === id);
            node.widgets.find((widget) => widget.name === name).value = value;
        }""",
        [node, widget, value],
    )

from __future__ import annotations

from comfyui_assistant.engine.comfy.node_definition import NodeDefinition
from comfyui_assistant.engine.tools.type_facts import heading, remarks


def definition(**facts) -> NodeDefinition:
    usual = {"display_name": "Invert", "category": "image", "description": "", "inputs": (), "outputs": ()}
    return NodeDefinition(type="ImageInvert", **{**usual, **facts})


def test_a_type_is_named_where_it_is_called_otherwise():
    assert heading(definition()) == {"type": "ImageInvert", "name": "Invert", "category": "image"}
    assert heading(definition(display_name="ImageInvert")) == {"type": "ImageInvert", "category": "image"}


def test_only_what_is_special_is_told():
    assert remarks(definition()) == {}
    assert remarks(definition(package="pack", price="paid", is_page_only=True, is_deprecated=True)) == {
        "isPageOnly": True,
        "price": "paid",
        "package": "pack",
        "deprecated": True,
    }

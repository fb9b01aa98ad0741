"""Nodes of `nodes/pack_values` as a person puts them into the graph, and what a run would use of them."""

from __future__ import annotations

from typing import Any

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage

FILM = {"frame_rate": 24, "loop_count": 2, "format": "video/h264", "crf": 12, "pingpong": True}


def values_of(comfy: ComfyPage, node: str) -> dict[str, Any]:
    """What a run would use, without links."""
    inputs = comfy.prompt()[node]["inputs"]
    return {name: value for name, value in inputs.items() if not isinstance(value, list)}


def add_film(comfy: ComfyPage) -> str:
    """By hand: the format first, which brings its own widgets."""
    return comfy.page.evaluate(
        """(values) => {
            const image = LiteGraph.createNode("EmptyImage");
            const film = LiteGraph.createNode("TestFilm");
            app.graph.add(image);
            app.graph.add(film);
            image.connect(0, film, 0);
            const widget = (name) => film.widgets.find((each) => each.name === name);
            widget("format").value = values.format;
            widget("format").callback(values.format);
            for (const [name, value] of Object.entries(values)) widget(name).value = value;
            return String(film.id);
        }""",
        FILM,
    )


def hand_over(comfy: ComfyPage) -> tuple[str, str, str]:
    """An image handed in under a name, and an ImageInvert that gets it by this name."""
    return tuple(
        comfy.page.evaluate(
            """() => {
                const types = ["EmptyImage", "TestHandIn", "TestHandOut", "ImageInvert", "PreviewImage"];
                const nodes = types.map((type) => LiteGraph.createNode(type));
                for (const node of nodes) app.graph.add(node);
                const [image, given, taken, invert, preview] = nodes;
                given.widgets[0].value = "picture";
                image.connect(0, given, 0);
                taken.widgets[0].value = "picture";
                taken.follow();
                taken.connect(0, invert, 0);
                invert.connect(0, preview, 0);
                return [given.id, taken.id, invert.id].map(String);
            }"""
        )
    )


def add_stack(comfy: ComfyPage, *loras: dict[str, Any]) -> str:
    return comfy.page.evaluate(
        """(loras) => {
            const node = LiteGraph.createNode("TestLoraStack");
            app.graph.add(node);
            node.configure({ ...node.serialize(), widgets_values: loras });
            return String(node.id);
        }""",
        list(loras),
    )


def listing(bridge: Bridge) -> str:
    return bridge.call("getWorkflowInfo", {"view": "compact", "values": "full"})["data"]["text"]

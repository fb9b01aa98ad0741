"""Workflows by chance from nodes that need no model, as the frontend saves them.

They have subgraphs used twice and inside each other, all four ways of saving promoted widgets, primitives, reroutes,
and bypassed and muted nodes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

NODES: dict[str, tuple[list[tuple[str, str, bool]], str | None]] = {
    "EmptyImage": (
        [
            ("width", "INT", True),
            ("height", "INT", True),
            ("batch_size", "INT", True),
            ("color", "INT", True),
        ],
        "IMAGE",
    ),
    "ImageInvert": ([("image", "IMAGE", False)], "IMAGE"),
    "ImageScaleBy": (
        [("image", "IMAGE", False), ("upscale_method", "COMBO", True), ("scale_by", "FLOAT", True)],
        "IMAGE",
    ),
    "ImageBlend": (
        [
            ("image1", "IMAGE", False),
            ("image2", "IMAGE", False),
            ("blend_factor", "FLOAT", True),
            ("blend_mode", "COMBO", True),
        ],
        "IMAGE",
    ),
    "SaveImage": ([("images", "IMAGE", False), ("filename_prefix", "STRING", True)], None),
    "Reroute": ([("", "*", False)], "IMAGE"),
    "PrimitiveNode": ([], "INT"),
}
"""By type: inputs with their types and whether a widget is behind them, and the output's type."""

INPUT_EDGE, OUTPUT_EDGE = -10, -20
ACTIVE, MUTED, BYPASSED = 0, 2, 4


@dataclass
class Graph:
    chance: random.Random
    nodes: list[Json] = field(default_factory=list)
    links: list[Json] = field(default_factory=list)

    def add(self, node_type: str, values: list[Any], *, mode: int = ACTIVE) -> Json:
        inputs, output = NODES[node_type]
        node: Json = {
            "id": len(self.nodes) + 1,
            "type": node_type,
            "pos": [300 * len(self.nodes), self.chance.randrange(0, 600)],
            "size": [240, 120],
            "flags": {},
            "order": len(self.nodes),
            "mode": mode,
            "inputs": [
                {
                    "name": name,
                    "type": kind,
                    "link": None,
                    **({"widget": {"name": name}} if is_widget else {}),
                }
                for name, kind, is_widget in inputs
            ],
            "outputs": [{"name": output, "type": output, "links": []}] if output else [],
            "properties": {},
            "widgets_values": values,
        }
        self.nodes.append(node)
        return node

    def connect(
        self, source: Json | int, target: Json | int, slot: int, kind: str, *, output: int = 0
    ) -> int:
        """`source` and `target` are nodes, or an edge of a subgraph. Returns the link's id."""
        link_id = len(self.links) + 1
        origin = source if isinstance(source, int) else source["id"]
        goal = target if isinstance(target, int) else target["id"]
        self.links.append(
            {
                "id": link_id,
                "origin_id": origin,
                "origin_slot": output,
                "target_id": goal,
                "target_slot": slot,
                "type": kind,
            }
        )
        if not isinstance(source, int):
            source["outputs"][output]["links"].append(link_id)
        if not isinstance(target, int):
            target["inputs"][slot]["link"] = link_id
        return link_id


def random_workflow(seed: int) -> Json:
    chance = random.Random(seed)
    inner = scaling_subgraph(chance, "10000000-0000-4000-8000-000000000001", around=None)
    outer = scaling_subgraph(chance, "10000000-0000-4000-8000-000000000002", around=inner)
    graph = Graph(chance)
    sources = [random_source(graph) for _ in range(2)]
    for _ in range(chance.randrange(2, 6)):
        kind = chance.choice(["ImageInvert", "ImageScaleBy", "ImageBlend", "Reroute", "subgraph", "subgraph"])
        sources.append(random_step(graph, kind, sources, [inner, outer]))
    for source in sources[-2:]:
        save = graph.add("SaveImage", [chance.choice(["a", "two words", 'with "quotes"'])])
        graph.connect(source, save, 0, "IMAGE")
    return {
        "id": "20000000-0000-4000-8000-000000000000",
        "revision": 0,
        "last_node_id": len(graph.nodes),
        "last_link_id": len(graph.links),
        "nodes": graph.nodes,
        "links": [list(link.values()) for link in graph.links],
        "groups": [{"id": 1, "title": "All of it", "bounding": [-50, -50, 9000, 900], "flags": {}}],
        "definitions": {"subgraphs": [inner, outer]},
        "config": {},
        "extra": {},
        "version": 0.4,
    }


def random_source(graph: Graph) -> Json:
    chance = graph.chance
    image = graph.add("EmptyImage", [chance.choice([64, 128]), 64, 1, chance.randrange(0, 0xFFFFFF)])
    if chance.random() < 0.6:
        primitive = graph.add("PrimitiveNode", [chance.choice([32, 96]), "fixed"])
        primitive["outputs"][0]["widget"] = {"name": "height"}
        graph.connect(primitive, image, 1, "INT")
    return image


def random_step(graph: Graph, kind: str, sources: list[Json], subgraphs: list[Json]) -> Json:
    chance = graph.chance
    mode = chance.choice([ACTIVE, ACTIVE, ACTIVE, BYPASSED, MUTED])
    if kind == "subgraph":
        node = instance(graph, chance.choice(subgraphs))
    elif kind == "ImageScaleBy":
        node = graph.add(kind, [chance.choice(["nearest-exact", "bilinear", "area"]), 1.5], mode=mode)
    elif kind == "ImageBlend":
        node = graph.add(kind, [chance.choice([0.25, 0.5]), chance.choice(["normal", "screen"])], mode=mode)
        graph.connect(chance.choice(sources), node, 1, "IMAGE")
    else:
        node = graph.add(kind, [], mode=ACTIVE if kind == "Reroute" else mode)
    graph.connect(chance.choice(sources), node, 0, "IMAGE")
    return node


def scaling_subgraph(chance: random.Random, subgraph_id: str, *, around: Json | None) -> Json:
    """Scales and inverts an image, perhaps through another subgraph; `scale` is the promoted input."""
    graph = Graph(chance)
    scale = graph.add("ImageScaleBy", ["bilinear", chance.choice([1.25, 2.0])])
    enters = graph.connect(INPUT_EDGE, scale, 0, "IMAGE")
    promoted = graph.connect(INPUT_EDGE, scale, 2, "FLOAT", output=1)
    last = graph.add("ImageInvert", [], mode=chance.choice([ACTIVE, BYPASSED]))
    graph.connect(scale, last, 0, "IMAGE")
    if around:
        within = instance(graph, around)
        graph.connect(last, within, 0, "IMAGE")
        last = within
    leaves = graph.connect(last, OUTPUT_EDGE, 0, "IMAGE")
    return {
        "id": subgraph_id,
        "version": 1,
        "state": {
            "lastGroupId": 0,
            "lastNodeId": len(graph.nodes),
            "lastLinkId": len(graph.links),
            "lastRerouteId": 0,
        },
        "revision": 0,
        "config": {},
        "name": "Scale" if around is None else "Scale twice",
        "inputNode": {"id": INPUT_EDGE, "bounding": [-300, 0, 120, 80]},
        "outputNode": {"id": OUTPUT_EDGE, "bounding": [2000, 0, 120, 60]},
        "inputs": [
            {"id": f"{subgraph_id[:-1]}a", "name": "image", "type": "IMAGE", "linkIds": [enters]},
            {"id": f"{subgraph_id[:-1]}b", "name": "scale", "type": "FLOAT", "linkIds": [promoted]},
        ],
        "outputs": [{"id": f"{subgraph_id[:-1]}c", "name": "IMAGE", "type": "IMAGE", "linkIds": [leaves]}],
        "widgets": [],
        "nodes": graph.nodes,
        "groups": [],
        "links": graph.links,
        "extra": {},
    }


def instance(graph: Graph, subgraph: Json) -> Json:
    """A node that stands for a subgraph, its promoted widget saved in one of four ways."""
    chance = graph.chance
    value = chance.choice([0.5, 1.0, 3.0])
    inner = str(subgraph["nodes"][0]["id"])
    properties, values = chance.choice(
        [
            ({"proxyWidgets": [["-1", "scale"]]}, [value]),
            ({"proxyWidgets": [["-1", "scale"], [inner, "upscale_method"]]}, [value, None]),
            ({}, [value]),
            ({}, []),
        ]
    )
    node = {
        "id": len(graph.nodes) + 1,
        "type": subgraph["id"],
        "pos": [300 * len(graph.nodes), 0],
        "size": [240, 120],
        "flags": {},
        "order": len(graph.nodes),
        "mode": ACTIVE,
        "inputs": [
            {"name": "image", "type": "IMAGE", "link": None},
            {"name": "scale", "type": "FLOAT", "widget": {"name": "scale"}, "link": None},
        ],
        "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": []}],
        "properties": properties,
        "widgets_values": values,
    }
    graph.nodes.append(node)
    return node

"""The workflows that the jobs are about: official templates that would run here, merged ones, and small own ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from dev.templates import OF_THIS_COMFYUI
from tests.host.bridge import Bridge
from tests.host.checked_run import hold_the_queue, refusal, what_runs
from tests.host.comfy import ComfyPage
from tests.host.official_templates import known_templates
from tests.host.template_damage import load

from .jobs import Workflow

LEAST_NODES = 8
MERGED_SIZES = (120, 200, 300)
CHAIN_LENGTHS = (3, 6, 10, 16, 24, 40)
_BESIDE = 6_000


def official(comfy: ComfyPage, bridge: Bridge, *, every: int) -> list[Workflow]:
    """Every n-th template by size that ComfyUI would run as it is, and merged ones of up to 300 nodes."""
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    hold_the_queue(bridge)
    templates = sorted(
        known_templates(OF_THIS_COMFYUI, definitions), key=lambda each: (node_count(each[1]), each[0])
    )
    templates = [each for each in templates if node_count(each[1]) >= LEAST_NODES]
    largest = len(templates) - 1
    chosen = [each for index, each in enumerate(templates) if index % every == 0 or index == largest]
    found = [workflow for name, saved in chosen if (workflow := _loaded(comfy, bridge, name, saved))]
    flat = [workflow for workflow in found if not workflow.saved.get("definitions", {}).get("subgraphs")]
    for size in MERGED_SIZES:
        name, saved = merge_up_to(flat, size)
        if merged := _loaded(comfy, bridge, name, saved):
            found.append(merged)
    return found


def runnable(comfy: ComfyPage) -> Iterator[Workflow]:
    """Pictures of noise: chains that need no model, each with one seed."""
    for length in CHAIN_LENGTHS:
        comfy.clear_graph()
        last = comfy.add_node("EmptyImage", width=32, height=32)
        noise = comfy.add_node("ImageAddNoise", seed=1, strength=0.5)
        comfy.connect(last, "IMAGE", noise, "image")
        last = noise
        for _ in range(length):
            following = comfy.add_node("ImageInvert")
            comfy.connect(last, "IMAGE", following, "image")
            last = following
        comfy.connect(last, "IMAGE", comfy.add_node("SaveImage"), "images")
        saved = comfy.page.evaluate("() => JSON.parse(JSON.stringify(app.graph.serialize()))")
        yield Workflow(f"chain of {length}", node_count(saved), saved, what_runs(comfy))


def _loaded(comfy: ComfyPage, bridge: Bridge, name: str, saved: dict[str, Any]) -> Workflow | None:
    """None where ComfyUI would not run it: then nobody could say what a repair or a change comes to."""
    load(bridge, saved)
    if refusal(bridge):
        return None
    return Workflow(name, node_count(saved), saved, what_runs(comfy))


def node_count(saved: dict[str, Any]) -> int:
    """With those in subgraphs, each once."""
    graphs = [saved, *saved.get("definitions", {}).get("subgraphs", [])]
    return sum(len(graph["nodes"]) for graph in graphs)


def merge_up_to(workflows: Sequence[Workflow], size: int) -> tuple[str, dict[str, Any]]:
    """Workflows side by side in one graph, as people collect them: about so many nodes."""
    order = sorted(workflows, key=lambda each: each.name)
    Random(size).shuffle(order)
    parts: list[Workflow] = []
    for workflow in order:
        if sum(part.nodes for part in parts) + workflow.nodes <= size:
            parts.append(workflow)
    merged: dict[str, Any] = {
        "version": 0.4,
        "nodes": [],
        "links": [],
        "groups": [],
        "extra": {},
        "config": {},
    }
    nodes = links = 0
    for column, part in enumerate(parts):
        shifted = _shifted(part.saved, nodes=nodes, links=links, right=column * _BESIDE)
        for field in ("nodes", "links", "groups"):
            merged[field] += shifted.get(field, [])
        nodes = max(node["id"] for node in merged["nodes"])
        links = max((link[0] for link in merged["links"]), default=0)
    return f"{len(parts)} templates + side by side", {**merged, "last_node_id": nodes, "last_link_id": links}


def _shifted(saved: Any, *, nodes: int, links: int, right: int) -> dict[str, Any]:
    part = copy.deepcopy(saved)
    for node in part["nodes"]:
        node["id"] += nodes
        x, y = (node["pos"][key] for key in ((0, 1) if isinstance(node["pos"], list) else ("0", "1")))
        node["pos"] = [x + right, y]
        for slot in node.get("inputs") or ():
            if slot.get("link") is not None:
                slot["link"] += links
        for slot in node.get("outputs") or ():
            slot["links"] = [link + links for link in slot.get("links") or ()]
    part["links"] = [
        [link[0] + links, link[1] + nodes, link[2], link[3] + nodes, *link[4:]] for link in part["links"]
    ]
    for group in part.get("groups") or ():
        x, y, width, height = group["bounding"]
        group["bounding"] = [x + right, y, width, height]
    return part

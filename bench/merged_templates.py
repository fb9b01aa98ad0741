"""Workflows as large as people's largest: templates side by side in one."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from typing import Any

Json = dict[str, Any]

NOTES = ("Note", "MarkdownNote")


def merged(templates: Sequence[tuple[str, Json]], chance: random.Random, count: int) -> Json:
    """Templates without subgraphs side by side, which together have so many nodes beside notes, or a few less."""
    nodes: list[Json] = []
    links: list[list[Any]] = []
    groups: list[Json] = []
    flat = [workflow for name, workflow in templates if "definitions" not in workflow and "api" not in name]
    for right, workflow in enumerate(_filling(flat, chance, count)):
        first_node, first_link = len(nodes) + 1, len(links) + 1
        ids = {node["id"]: first_node + index for index, node in enumerate(workflow["nodes"])}
        link_ids = {link[0]: first_link + index for index, link in enumerate(workflow["links"])}
        for node in copy.deepcopy(workflow["nodes"]):
            node["id"] = ids[node["id"]]
            for slot in node.get("inputs") or []:
                slot["link"] = link_ids.get(slot.get("link"))
            for slot in node.get("outputs") or []:
                slot["links"] = [link_ids[link] for link in slot.get("links") or [] if link in link_ids]
            node["pos"] = [_at(node["pos"], 0) + 6000 * right, _at(node["pos"], 1)]
            nodes.append(node)
        for number, origin, slot, target, into, kind in workflow["links"]:
            if origin in ids and target in ids:
                links.append([link_ids[number], ids[origin], slot, ids[target], into, kind])
        for group in copy.deepcopy(workflow.get("groups", [])):
            group["bounding"][0] += 6000 * right
            groups.append(group)
    return {
        "id": "30000000-0000-4000-8000-000000000000",
        "revision": 0,
        "last_node_id": len(nodes),
        "last_link_id": max((link[0] for link in links), default=0),
        "nodes": nodes,
        "links": links,
        "groups": groups,
        "config": {},
        "extra": {},
        "version": 0.4,
    }


def _filling(workflows: Sequence[Json], chance: random.Random, room: int) -> Iterator[Json]:
    while fitting := [workflow for workflow in workflows if _beside_notes(workflow) <= room]:
        workflow = chance.choice(fitting)
        room -= _beside_notes(workflow)
        yield workflow


def _beside_notes(workflow: Json) -> int:
    return sum(node["type"] not in NOTES for node in workflow["nodes"])


def _at(numbers: Any, index: int) -> float:
    return numbers[index] if isinstance(numbers, list) else numbers[str(index)]

"""The official templates, as far as this ComfyUI has their node types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dev.templates import workflow_files

OF_THE_PAGE = {"Note", "MarkdownNote", "Reroute", "PrimitiveNode"}
"""Node types that only the frontend knows."""


def read_workflow(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def node_types(workflow: Mapping[str, Any]) -> set[str]:
    definitions = workflow.get("definitions", {}).get("subgraphs", [])
    graphs = [workflow, *definitions]
    types = {node["type"] for graph in graphs for node in graph["nodes"]}
    return types - OF_THE_PAGE - {definition["id"] for definition in definitions}


def known_templates(package_set: str, definitions: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and workflow of each template of the set whose node types are all installed."""
    for path in workflow_files(package_set):
        workflow = read_workflow(path)
        if node_types(workflow) <= definitions.keys():
            yield path.stem, workflow

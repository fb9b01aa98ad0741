"""What a workflow needs to run: node types and model files, and which of them are not installed."""

from __future__ import annotations

import ntpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from .snapshot import Environment

_FRONTEND_ONLY = frozenset({"Note", "MarkdownNote", "Reroute", "PrimitiveNode"})
_MODEL_ENDINGS = (".safetensors", ".sft", ".ckpt", ".pt", ".pth", ".gguf", ".bin", ".onnx")


@dataclass(frozen=True)
class NeededModel:
    """`folder` and `url` as the workflow names them; empty where it does not."""

    name: str
    folder: str = ""
    url: str = ""


@dataclass(frozen=True)
class WorkflowNeeds:
    node_types: tuple[str, ...]
    models: tuple[NeededModel, ...]

    def missing_node_types(self, environment: Environment) -> list[str]:
        return [
            name
            for name in self.node_types
            if name not in environment.nodes and name not in environment.unreadable
        ]

    def missing_models(self, environment: Environment) -> list[NeededModel]:
        installed_names = {_base(file).casefold() for files in environment.models.values() for file in files}
        return [model for model in self.models if _base(model.name).casefold() not in installed_names]


def needs_of(workflow: Mapping[str, Any]) -> WorkflowNeeds:
    """Of a workflow in the form of the editor, subgraphs included, or of the API."""
    nodes = list(_nodes(workflow))
    subgraphs = {str(definition.get("id")) for definition in _subgraphs(workflow)}
    types = [str(node.get("type") or node.get("class_type") or "") for node in nodes]
    models: dict[str, NeededModel] = {}
    for node in nodes:
        for model in (*_declared_models(node), *_named_models(node)):
            models.setdefault(_base(model.name), model)
    return WorkflowNeeds(
        node_types=tuple(
            name for name in dict.fromkeys(types) if name and name not in subgraphs | _FRONTEND_ONLY
        ),
        models=tuple(models.values()),
    )


def substitutes(model: NeededModel, environment: Environment, *, limit: int = 3) -> list[str]:
    """Installed files of the same folder with similar names."""
    files = environment.models.get(model.folder, ())
    by_base = {_base(file): file for file in files}
    return [by_base[base] for base in get_close_matches(_base(model.name), by_base, n=limit, cutoff=0.5)]


def _nodes(workflow: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    top_level = workflow.get("nodes")
    if isinstance(top_level, list):
        node_lists = [top_level, *(definition.get("nodes") for definition in _subgraphs(workflow))]
        for nodes in node_lists:
            yield from (node for node in nodes or () if isinstance(node, dict))
    else:
        yield from (node for node in workflow.values() if isinstance(node, dict) and "class_type" in node)


def _subgraphs(workflow: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    definitions = workflow.get("definitions")
    subgraphs = definitions.get("subgraphs") if isinstance(definitions, dict) else None
    return [one for one in subgraphs if isinstance(one, dict)] if isinstance(subgraphs, list) else []


def _declared_models(node: Mapping[str, Any]) -> Iterator[NeededModel]:
    properties = node.get("properties")
    models = properties.get("models") if isinstance(properties, dict) else None
    for model in models if isinstance(models, list) else ():
        if isinstance(model, dict) and isinstance(model.get("name"), str):
            yield NeededModel(model["name"], str(model.get("directory") or ""), str(model.get("url") or ""))


def _named_models(node: Mapping[str, Any]) -> Iterator[NeededModel]:
    """Values that end like a model file, for workflows that declare none."""
    values = node.get("widgets_values") or node.get("inputs")
    for value in values.values() if isinstance(values, dict) else values or ():
        if isinstance(value, str) and value.endswith(_MODEL_ENDINGS) and "\n" not in value:
            yield NeededModel(value)


def _base(name: str) -> str:
    return ntpath.basename(name)

"""What a workflow needs to run: node types and model files, and which of them are not installed."""

from __future__ import annotations

import ntpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from .snapshot import Environment

_FRONTEND_ONLY = frozenset({"Note", "MarkdownNote", "Reroute", "PrimitiveNode"})
_MODEL_ENDINGS = (".safetensors", ".sft", ".ckpt", ".pt", ".pth", ".gguf", ".bin", ".onnx")


_FOLDERS_OF_TYPES = {
    "CheckpointLoaderSimple": "checkpoints",
    "CLIPVisionLoader": "clip_vision",
    "CLIPLoader": "text_encoders",
    "ControlNetLoader": "controlnet",
    "DualCLIPLoader": "text_encoders",
    "LoraLoader": "loras",
    "LoraLoaderModelOnly": "loras",
    "StyleModelLoader": "style_models",
    "UNETLoader": "diffusion_models",
    "VAELoader": "vae",
    "UpscaleModelLoader": "upscale_models",
}
_FOLDERS_OF_INPUTS = {
    "ckpt_name": "checkpoints",
    "clip_name": "text_encoders",
    "clip_name1": "text_encoders",
    "clip_name2": "text_encoders",
    "clip_name3": "text_encoders",
    "control_net_name": "controlnet",
    "lora_name": "loras",
    "unet_name": "diffusion_models",
    "vae_name": "vae",
}
_ACTIVE = (None, 0)
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class NeededModel:
    """`folder`, `url` and `sha256` as the workflow names them; empty where it does not.

    The folder is known of the usual loaders too.
    """

    name: str
    folder: str = ""
    url: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class WorkflowNeeds:
    node_types: tuple[str, ...]
    models: tuple[NeededModel, ...]

    def missing_node_types(self, environment: Environment) -> list[str]:
        return [
            name
            for name in self.node_types
            if environment.node(name) is None and name not in environment.unreadable
        ]

    def missing_models(self, environment: Environment) -> list[NeededModel]:
        installed_names = {
            base_name(file).casefold() for files in environment.models.values() for file in files
        }
        return [model for model in self.models if base_name(model.name).casefold() not in installed_names]


def needs_of(workflow: Mapping[str, Any], *, only_active: bool = False) -> WorkflowNeeds:
    """Of a workflow in the form of the editor, subgraphs included, or of the API."""
    nodes = [node for node in nodes_of(workflow) if not only_active or node.get("mode") in _ACTIVE]
    subgraphs = {str(definition.get("id")) for definition in _subgraphs(workflow)}
    types = [str(node.get("type") or node.get("class_type") or "") for node in nodes]
    models: dict[str, NeededModel] = {}
    for node in nodes:
        for model in (*_declared_models(node), *_named_models(node)):
            models.setdefault(base_name(model.name), model)
    return WorkflowNeeds(
        node_types=tuple(
            name for name in dict.fromkeys(types) if name and name not in subgraphs | _FRONTEND_ONLY
        ),
        models=tuple(models.values()),
    )


def substitutes(model: NeededModel, environment: Environment, *, limit: int = 3) -> list[str]:
    """Installed files of the same folder with similar names."""
    files = environment.models.get(model.folder, ())
    by_base = {base_name(file): file for file in files}
    return [by_base[base] for base in get_close_matches(base_name(model.name), by_base, n=limit, cutoff=0.5)]


def nodes_of(workflow: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
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
    """Without those that the node had before another was chosen: what it declares is not changed with that."""
    properties = node.get("properties")
    models = properties.get("models") if isinstance(properties, dict) else None
    chosen = {base_name(value) for _, value in _model_values(node)}
    for model in models if isinstance(models, list) else ():
        if not isinstance(model, dict) or not isinstance(model.get("name"), str):
            continue
        name = model["name"]
        if chosen and base_name(name) not in chosen:
            continue
        is_sha256 = str(model.get("hash_type") or "SHA256").upper().replace("-", "") == "SHA256"
        found = str(model.get("hash") or "").lower() if is_sha256 else ""
        sha256 = found if _SHA256.fullmatch(found) else ""
        yield NeededModel(name, str(model.get("directory") or ""), str(model.get("url") or ""), sha256)


def _named_models(node: Mapping[str, Any]) -> Iterator[NeededModel]:
    """Values that end like a model file, for workflows that declare none."""
    node_type = str(node.get("type") or node.get("class_type") or "")
    for name, value in _model_values(node):
        yield NeededModel(value, _FOLDERS_OF_TYPES.get(node_type) or _FOLDERS_OF_INPUTS.get(name, ""))


def _model_values(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """With the name of the input, where the node tells it."""
    values = node.get("widgets_values") or node.get("inputs")
    if isinstance(values, dict):
        named = list(values.items())
    else:
        listed = values if isinstance(values, list) else []
        names = _widget_names(node)
        named = list(zip(names if len(names) == len(listed) else [""] * len(listed), listed, strict=True))
    for name, value in named:
        if isinstance(value, str) and value.endswith(_MODEL_ENDINGS) and "\n" not in value:
            yield str(name), value


def _widget_names(node: Mapping[str, Any]) -> list[str]:
    inputs = node.get("inputs")
    widgets = (
        [one.get("widget") for one in inputs or () if isinstance(one, dict)]
        if isinstance(inputs, list)
        else []
    )
    return [str(widget.get("name")) for widget in widgets if isinstance(widget, dict)]


def base_name(name: str) -> str:
    return ntpath.basename(name)

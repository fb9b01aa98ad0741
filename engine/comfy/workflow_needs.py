"""Requirements of a workflow: node types and model files, and which of them are not installed."""

from __future__ import annotations

import ntpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from .file_roles import has_other_role
from .node_input import flatten_inputs
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
    "lora": "loras",
    "lora_name": "loras",
    "unet_name": "diffusion_models",
    "vae_name": "vae",
}
_OLDER_FOLDER_NAMES = {"clip": "text_encoders", "unet": "diffusion_models"}
_ACTIVE = (None, 0)
_WORD = re.compile(r"[^\W_]+")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class NeededModel:
    """A model file that a workflow needs; `folder`, `url` and `sha256` are "" where the workflow does not name them.

    `name` is the value of a node's input, else what the node declares. The folder of the usual loaders is known.
    `users` are the nodes that need the file, as id and type.
    """

    name: str
    folder: str = ""
    url: str = ""
    sha256: str = ""
    users: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def places(self, environment: Environment) -> list[tuple[str, str]]:
        """Return folder and path of the installed files of this name, in the model's folder or, where it has none, in
        any.
        """
        folders = [self.folder] if self.folder else list(environment.models)
        base = base_name(self.name).casefold()
        return [
            (folder, file)
            for folder in folders
            for file in environment.models.get(folder, ())
            if base_name(file).casefold() == base
        ]

    def choices(self, environment: Environment) -> Iterator[tuple[object, ...]]:
        """Yield the choice lists of the node types that need the file."""
        for node_type in dict.fromkeys(node_type for _, node_type in self.users):
            definition = environment.node(node_type)
            for one in flatten_inputs(definition.inputs) if definition else ():
                if one.choices:
                    yield one.choices


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

    def prices(self, environment: Environment) -> dict[str, str]:
        """Return the prices by node type, such as "paid, $0.06/Run", where a run costs something."""
        found = {name: environment.node(name) for name in self.node_types}
        return {name: node.price for name, node in found.items() if node is not None and node.price}

    def missing_models(self, environment: Environment) -> list[NeededModel]:
        """Return the models that are neither in their folder, under any path, nor a choice of their node.

        Packs have folders of their own, which only the choices tell of.
        """
        here = {
            folder: {base_name(file).casefold() for file in files}
            for folder, files in environment.models.items()
        }
        anywhere = set[str]().union(*here.values())
        return [
            model
            for model in self.models
            if base_name(model.name).casefold()
            not in (here.get(model.folder, ()) if model.folder else anywhere)
            and not any(model.name in choices for choices in model.choices(environment))
        ]

    def misplaced_models(self, environment: Environment) -> list[tuple[NeededModel, list[str]]]:
        """Return the models that lie under another path than the workflow names, with these paths."""
        found = []
        for model in self.models:
            choices = [one for one in model.choices(environment) if model.name not in one]
            can_be_chosen = [
                file for _, file in model.places(environment) if any(file in one for one in choices)
            ]
            if can_be_chosen and model.name not in can_be_chosen:
                found.append((model, can_be_chosen))
        return found


def find_needs(workflow: Mapping[str, Any], *, only_active: bool = False) -> WorkflowNeeds:
    """Return the requirements of a workflow in the form of the editor, with its subgraphs, or of the API.

    With `only_active`, muted and bypassed nodes do not count.
    """
    nodes = list(_active_nodes(workflow) if only_active else list_nodes(workflow))
    subgraphs = subgraph_names(workflow)
    return WorkflowNeeds(
        node_types=tuple(
            name
            for name in dict.fromkeys(map(type_of, nodes))
            if name and name not in subgraphs and name not in _FRONTEND_ONLY
        ),
        models=_joined(model for node in nodes for model in _models_of(node)),
    )


def _joined(models: Iterable[NeededModel]) -> tuple[NeededModel, ...]:
    """Merge equal models. Where one node names the folder of a file and another does not, that folder counts for
    both.
    """
    by_place: dict[tuple[str, str], NeededModel] = {}
    for model in models:
        key = (model.name, model.folder)
        known = by_place.get(key, model)
        users = tuple(dict.fromkeys((*known.users, *model.users)))
        by_place[key] = replace(known if known.url or not model.url else model, users=users)
    placed = {name: key for key in by_place if (name := key[0]) and key[1]}
    for key in [key for key in by_place if not key[1] and key[0] in placed]:
        rest, whole = by_place.pop(key), by_place[placed[key[0]]]
        by_place[placed[key[0]]] = replace(whole, users=tuple(dict.fromkeys((*whole.users, *rest.users))))
    return tuple(by_place.values())


def substitutes(model: NeededModel, environment: Environment) -> list[str]:
    """Return installed files of the same folder with similar names, of the same family and role as far as the names
    tell.

    File names have so much in common (`_fp8_scaled.safetensors`) that the similarity of the whole says little.
    """
    files = environment.models.get(model.folder, ())
    wanted = base_name(model.name)
    by_base = {
        base: file
        for file in files
        if _is_family(wanted, base := base_name(file)) and not has_other_role(wanted, base)
    }
    return [by_base[base] for base in get_close_matches(wanted, by_base, n=3, cutoff=0.5)]


def _is_family(one: str, other: str) -> bool:
    """Return whether one begins with a word of the other: `ae` and `flux_ae`, `wan2.1_vae` and `Wan2_1_VAE_bf16`."""
    words, others = _family_words(one), _family_words(other)
    return bool(words and others) and (words[0] in others or others[0] in words)


def _family_words(name: str) -> list[str]:
    """Return the words of a name without numbers at their ends: `flux1-dev.safetensors` gives flux and dev."""
    stem = name.rpartition(".")[0].casefold()
    return [word for run in _WORD.findall(stem) if (word := run.rstrip("0123456789"))]


def list_nodes(workflow: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the nodes of a workflow, including those of its subgraphs."""
    top_level = workflow.get("nodes")
    if isinstance(top_level, list):
        for nodes in (top_level, *(definition.get("nodes") for definition in _subgraphs(workflow))):
            yield from _as_nodes(nodes)
    else:
        yield from (node for node in workflow.values() if isinstance(node, dict) and "class_type" in node)


def _active_nodes(workflow: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the nodes that take part in a run; those of a subgraph only where a node for it does.

    The ids of nodes in subgraphs are paths, such as `12:3`.
    """
    if not isinstance(workflow.get("nodes"), list):
        yield from list_nodes(workflow)
        return
    waiting = [("", workflow)]
    unseen = {str(definition.get("id")): definition for definition in _subgraphs(workflow)}
    while waiting:
        place, graph = waiting.pop(0)
        for node in _as_nodes(graph.get("nodes")):
            if node.get("mode") in _ACTIVE:
                has_id = node.get("id") is not None
                path = f"{place}{node['id']}" if has_id else ""
                yield {**node, "id": path} if has_id else node
                if definition := unseen.pop(type_of(node), None):
                    waiting.append((f"{path}:" if has_id else "", definition))


def _as_nodes(nodes: Any) -> Iterator[Mapping[str, Any]]:
    yield from (node for node in (nodes if isinstance(nodes, list) else ()) if isinstance(node, dict))


def type_of(node: Mapping[str, Any]) -> str:
    return str(node.get("type") or node.get("class_type") or "")


def subgraph_names(workflow: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the subgraphs by the type of their nodes."""
    return {str(one.get("id")): str(one.get("name") or "") for one in _subgraphs(workflow)}


def _subgraphs(workflow: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    definitions = workflow.get("definitions")
    subgraphs = definitions.get("subgraphs") if isinstance(definitions, dict) else None
    return [one for one in subgraphs if isinstance(one, dict)] if isinstance(subgraphs, list) else []


def _models_of(node: Mapping[str, Any]) -> Iterator[NeededModel]:
    """Yield the models that the node's values name, with what it declares of them; else all that it declares.

    The declaration does not change when another file is chosen. ComfyUI's own loaders look in one folder each,
    whatever the workflow declares.
    """
    user = ((str(node.get("id", "")), type_of(node)),)
    declared = {base_name(model.name): model for model in _declared_models(node)}
    chosen = list(_model_values(node))
    for model in declared.values() if not chosen else ():
        yield replace(model, users=user)
    for name, value in chosen:
        model = declared.get(base_name(value), NeededModel(value))
        folder = _FOLDERS_OF_TYPES.get(type_of(node)) or model.folder or _FOLDERS_OF_INPUTS.get(name, "")
        yield replace(model, name=value, folder=folder, users=user)


def _declared_models(node: Mapping[str, Any]) -> Iterator[NeededModel]:
    properties = node.get("properties")
    models = properties.get("models") if isinstance(properties, dict) else None
    for model in models if isinstance(models, list) else ():
        if not isinstance(model, dict) or not isinstance(model.get("name"), str):
            continue
        is_sha256 = str(model.get("hash_type") or "SHA256").upper().replace("-", "") == "SHA256"
        found = str(model.get("hash") or "").lower() if is_sha256 else ""
        sha256 = found if _SHA256.fullmatch(found) else ""
        directory = str(model.get("directory") or "")
        folder = _OLDER_FOLDER_NAMES.get(directory, directory)
        yield NeededModel(model["name"], folder, str(model.get("url") or ""), sha256)


def _model_values(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the values that end like a model file, each with its input's name or "".

    Some packs keep several values in one: {"on": true, "lora": "a.safetensors", "strength": 1}.
    """
    values = node.get("widgets_values") or node.get("inputs")
    if isinstance(values, dict):
        named = list(values.items())
    else:
        listed = values if isinstance(values, list) else []
        names = _widget_names(node)
        named = list(zip(names if len(names) == len(listed) else [""] * len(listed), listed, strict=True))
    for name, value in named:
        inner = value if isinstance(value, dict) and value.get("on") is not False else {}
        for key, one in [(name, value), *inner.items()]:
            if isinstance(one, str) and is_model_file(one):
                yield str(key), one


def is_model_file(value: str) -> bool:
    return value.endswith(_MODEL_ENDINGS) and "\n" not in value and "://" not in value


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

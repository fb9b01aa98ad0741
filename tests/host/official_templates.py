"""The official templates, as far as this ComfyUI has their node types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dev.templates import OF_THIS_COMFYUI, workflow_files

OF_THE_PAGE = {"Note", "MarkdownNote", "Reroute", "PrimitiveNode"}
"""Node types that only the frontend knows."""


FOLDERS = {
    "CheckpointLoaderSimple": "models/checkpoints",
    "ImageOnlyCheckpointLoader": "models/checkpoints",
    "unCLIPCheckpointLoader": "models/checkpoints",
    "UNETLoader": "models/diffusion_models",
    "VAELoader": "models/vae",
    "CLIPLoader": "models/text_encoders",
    "DualCLIPLoader": "models/text_encoders",
    "TripleCLIPLoader": "models/text_encoders",
    "QuadrupleCLIPLoader": "models/text_encoders",
    "LoraLoader": "models/loras",
    "LoraLoaderModelOnly": "models/loras",
    "ControlNetLoader": "models/controlnet",
    "CLIPVisionLoader": "models/clip_vision",
    "StyleModelLoader": "models/style_models",
    "AudioEncoderLoader": "models/audio_encoders",
    "UpscaleModelLoader": "models/upscale_models",
    "ModelPatchLoader": "models/model_patches",
    "LoadImage": "input",
}
"""Where an empty file makes a choice valid: what is only checked needs no content."""


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
        if "nodes" in workflow and node_types(workflow) <= definitions.keys():
            yield path.stem, workflow


def put_files(base: Path) -> None:
    """Every file that a template of this ComfyUI chooses, empty, below a base folder."""
    for path in workflow_files(OF_THIS_COMFYUI):
        workflow = read_workflow(path)
        if "nodes" not in workflow:
            continue
        for graph in (workflow, *workflow.get("definitions", {}).get("subgraphs", [])):
            for node in graph["nodes"]:
                values = node.get("widgets_values") if node["type"] in FOLDERS else None
                for value in values if isinstance(values, list) else []:
                    if isinstance(value, str) and "." in value:
                        file = base / FOLDERS[node["type"]] / value
                        file.parent.mkdir(parents=True, exist_ok=True)
                        file.touch()

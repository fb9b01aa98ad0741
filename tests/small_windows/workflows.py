"""Workflows as the page posts them, written down shortly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from comfyui_assistant.engine.comfy.node_definition import read_node_definition
from comfyui_assistant.engine.comfy.snapshot import Environment
from comfyui_assistant.engine.small_windows.open_workflow import Workflow, read_workflow

_FIXTURES = Path(__file__).parent.parent / "fixtures"


def _recorded(file: str) -> Environment:
    recorded = json.loads((_FIXTURES / file).read_text("utf-8"))
    return Environment.build(
        {name: read_node_definition(name, info) for name, info in recorded.items()}, models={}
    )


ENVIRONMENT = _recorded("core_nodes.json")
NEWEST = _recorded("newest_nodes.json")
"""With choices that have inputs of their own, inputs that grow, and inputs of one type."""


def node(
    node_id: int,
    kind: str,
    links: dict[str, str] | None = None,
    *,
    title: str = "",
    mode: str = "active",
    **values: Any,
) -> dict[str, Any]:
    """`links` are sources by input: `4`, or `4.VAE`."""
    sources = {name: source.split(".") for name, source in (links or {}).items()}
    return {
        "id": str(node_id),
        "type": kind,
        "mode": mode,
        "values": [{"name": name, "value": value} for name, value in values.items()],
        "links": [
            {"input": name, "source": {"node": source[0], **({"slot": source[1]} if source[1:] else {})}}
            for name, source in sources.items()
        ],
        **({"title": title} if title else {}),
    }


def posted(*nodes: dict[str, Any], subgraphs: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"name": "mine", "graph": {"nodes": list(nodes), "groups": [], "subgraphs": subgraphs or []}}


def workflow(*nodes: dict[str, Any], environment: Environment = ENVIRONMENT, **more: Any) -> Workflow:
    found = read_workflow(posted(*nodes, **more), environment.nodes)
    assert found is not None
    return found


_SAMPLER_LINKS = {"model": "4", "positive": "6", "negative": "7", "latent_image": "5"}

DEFAULT_NODES = (
    node(3, "KSampler", _SAMPLER_LINKS, seed=1, steps=20, cfg=8, sampler_name="euler", scheduler="normal"),
    node(4, "CheckpointLoaderSimple", ckpt_name="v1-5.safetensors"),
    node(5, "EmptyLatentImage", width=512, height=512, batch_size=1),
    node(6, "CLIPTextEncode", {"clip": "4"}, text="a bottle"),
    node(7, "CLIPTextEncode", {"clip": "4"}, text="text, watermark"),
    node(8, "VAEDecode", {"samples": "3", "vae": "4"}),
    node(9, "SaveImage", {"images": "8"}, filename_prefix="ComfyUI"),
)
DEFAULT = workflow(*DEFAULT_NODES)

RESIZED = workflow(
    *DEFAULT_NODES[:-1],
    node(
        10,
        "ResizeImageMaskNode",
        {"input": "8"},
        **{"resize_type": "scale by multiplier", "resize_type.multiplier": 2, "scale_method": "area"},
    ),
    node(9, "SaveImage", {"images": "10"}, filename_prefix="ComfyUI"),
    environment=NEWEST,
)

TWO_LORA_NODES = (
    node(4, "CheckpointLoaderSimple", ckpt_name="v1-5.safetensors"),
    node(11, "LoraLoader", {"model": "4", "clip": "4"}, lora_name="box.safetensors", strength_model=0.75),
    node(13, "LoraLoader", {"model": "11", "clip": "11"}, lora_name="ink.safetensors", strength_model=0.5),
    node(3, "KSampler", {"model": "13"}, steps=20),
)
TWO_LORAS = workflow(*TWO_LORA_NODES)
TWO_SAMPLERS = workflow(
    node(1, "KSampler", title="KSampler - BASE", steps=20, cfg=8, denoise=1),
    node(2, "KSampler", {"latent_image": "1"}, title="KSampler - REFINER", steps=20, cfg=8, denoise=0.5),
)

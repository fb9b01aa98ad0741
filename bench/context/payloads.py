"""Tool calls and their results as the generated conversations have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.context.tool_facts import ToolFacts

from .sentences import NODES, PLACES, SAMPLERS, SCHEDULERS, SUBJECTS

_FOLDERS = ("checkpoints", "loras", "vae", "controlnet", "text_encoders", "upscale_models")
_FAMILIES = ("sd15", "sdxl", "flux", "wan", "qwen", "hunyuan", "ltx", "chroma")


@dataclass(frozen=True)
class Called:
    """One call. The fact that it was made with stands nowhere but in its result, at a random depth of it."""

    tool: str
    input: dict[str, Any]
    output: dict[str, Any]


Make = Callable[[Random, str | None], Called]


def read_workflow(random: Random, fact: str | None, *, nodes: int) -> Called:
    """In compact form, one line to a node, as the tool gives it."""
    lines = [_node(random, number + 1) for number in range(nodes)]
    if fact:
        lines[random.randrange(nodes)] += f" note={fact}"
    summary = f'Read "{random.choice(SUBJECTS)}": {nodes} nodes, {nodes + 3} links.'
    data = {"revision": _hex(random, 8), "nodes": nodes, "links": nodes + 3, "text": "\n".join(lines)}
    return Called("getWorkflowInfo", {}, _success(summary, data))


def read_node_info(random: Random, fact: str | None) -> Called:
    size, node = random.randint(400, 4_000), random.choice(NODES)
    inputs: list[dict[str, Any]] = []
    while _size(inputs) < size:
        inputs.append(
            {
                "name": f"{random.choice(SAMPLERS)}_{len(inputs)}",
                "type": random.choice(("INT", "FLOAT", "STRING", "MODEL", "LATENT", "COMBO")),
                "default": random.randint(0, 4096),
                "choices": random.sample(SAMPLERS + SCHEDULERS, 4),
                "tooltip": f"How much of {random.choice(SUBJECTS)} is kept {random.choice(PLACES)}.",
            }
        )
    if fact:
        random.choice(inputs)["tooltip"] += f" See {fact}."
    return Called(
        "getNodeInfo",
        {"types": [node]},
        _success(f"{node}: {len(inputs)} inputs.", {"type": node, "inputs": inputs}),
    )


def list_models(random: Random, fact: str | None) -> Called:
    folder = random.choice(_FOLDERS)
    files = [
        f"{random.choice(_FAMILIES)}/{random.choice(NODES).lower()}_{_hex(random, 6)}.safetensors"
        for _ in range(random.randint(20, 100))
    ]
    if fact:
        files.insert(random.randint(0, len(files)), f"{random.choice(_FAMILIES)}/{fact}.safetensors")
    first = ", ".join(files[:3])
    return Called(
        "getAvailableModels",
        {"folder": folder},
        _success(f"{len(files)} model files in {folder}: {first}, …", {"models": {folder: files}}),
    )


def run_workflow(random: Random, fact: str | None) -> Called:
    outputs = [
        {
            "node": str(random.randint(1, 400)),
            "type": "SaveImage",
            "files": [
                {
                    "filename": f"picture_{random.randint(1, 99_999):05}_.png",
                    "url": f"/view?filename={_hex(random, 12)}",
                }
            ],
            "text": f"{random.choice(SUBJECTS)} {random.choice(PLACES)}, {random.choice(SAMPLERS)}",
        }
        for _ in range(random.randint(1, 12))
    ]
    if fact:
        random.choice(outputs)["text"] += f", {fact}"
    seconds = random.randint(3, 300)
    files = ", ".join(output["files"][0]["filename"] for output in outputs[:4])
    return Called(
        "executeWorkflow",
        {},
        _success(
            f"Ran the workflow in {seconds} s: {files}.",
            {"status": "success", "seconds": seconds, "outputs": outputs},
        ),
    )


def fail_to_run(random: Random, fact: str | None) -> Called:
    lines = [
        f"node {random.randint(1, 400)} ({random.choice(NODES)}), input {random.choice(SAMPLERS)}: "
        f"expected {random.choice(('a MODEL', 'a LATENT', 'a whole number'))}, found {_hex(random, 6)}"
        for _ in range(random.randint(1, 30))
    ]
    if fact:
        lines.insert(random.randint(0, len(lines)), f"value {fact} is not allowed")
    return Called(
        "executeWorkflow",
        {},
        {
            "ok": False,
            "error": f"ComfyUI refused to run the workflow: {'; '.join(lines)}.",
            "hint": "Repair these inputs, then run again.",
        },
    )


def change_node(random: Random, fact: str | None) -> Called:
    number, value = random.randint(1, 400), fact or _hex(random, 5)
    widget = random.choice(("text", "lora_name", "filename_prefix", "sampler_name"))
    return Called(
        "setNodeWidgetValue",
        {"node": number, "widget": widget},
        _success(
            f"Set {widget} of node {number}.",
            {"id": number, "type": random.choice(NODES), "before": value, "revision": _hex(random, 8)},
        ),
    )


FACTS = {
    "getWorkflowInfo": ToolFacts(share="most"),
    "executeWorkflow": ToolFacts("runs"),
    "setNodeWidgetValue": ToolFacts("edits"),
}
LOOK_UPS: tuple[Make, ...] = (read_node_info, read_node_info, list_models)


def _node(random: Random, number: int) -> str:
    values = {
        "seed": random.randint(10**9, 10**14),
        "steps": random.randint(4, 60),
        "cfg": random.randint(10, 120) / 10,
        "sampler_name": random.choice(SAMPLERS),
        "scheduler": random.choice(SCHEDULERS),
        "text": f'"{random.choice(SUBJECTS)} {random.choice(PLACES)}"',
    }
    few = random.sample([*values], random.randint(0, 4))
    links = [f"model<{random.randint(1, 400)}.MODEL", f"image<{random.randint(1, 400)}"]
    return " ".join(
        [str(number), random.choice(NODES), *random.sample(links, random.randint(0, 2))]
        + [f"{name}={values[name]}" for name in values if name in few]
    )


def _size(entries: list[dict[str, Any]]) -> int:
    """Roughly the characters of their JSON: the first entry's size stands for all of its kind."""
    return len(entries) * len(str(entries[0])) if entries else 0


def _success(summary: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True, "summary": summary, "data": data}


def _hex(random: Random, digits: int) -> str:
    return f"{random.getrandbits(4 * digits):0{digits}x}"

"""What is asked for, and by what the outcome is judged: the graph, or for a question the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from .graph import Prompt, difference, links_from, of_type, with_values, without

LORA, UNET, CLIP, VAE = (
    "pixel_art.safetensors",
    "other_unet.safetensors",
    "other_clip.safetensors",
    "other_vae.safetensors",
)
FILES = {"loras": LORA, "diffusion_models": UNET, "text_encoders": CLIP, "vae": VAE}
"""By folder below `models/`: what the requests name."""
PICTURE = "IMG_0417_harbor_evening.png"
SEEDS = (101, 202, 303)
NUMBERS = (
    "steps",
    "cfg",
    "denoise",
    "width",
    "height",
    "shift",
    "strength_model",
    "fps",
    "frame_rate",
    "length",
    "batch_size",
    "guidance",
)

Check = Callable[[Prompt, str], str | None]
"""What is wrong with what would run afterwards and with the answer; None where nothing is."""


@dataclass(frozen=True)
class Job:
    kind: str
    template: str
    nodes: int
    requests: Sequence[str]
    check: Check
    first_check: Check | None = None
    """What must hold after the first of two requests."""
    damage: str | None = None
    """What is broken in the page before, by its name among the damages."""
    opens: bool = True
    """Whether the template is open when the person asks."""

    @property
    def name(self) -> str:
        return f"{self.kind}, {self.template} ({self.nodes} nodes)"


@dataclass(frozen=True)
class Workflow:
    name: str
    nodes: int
    saved: Mapping[str, Any]
    prompt: Prompt


def jobs_on(workflow: Workflow, random: Random) -> Iterator[Job]:
    """Each kind of job that this workflow gives rise to."""
    for make in (_value, _lora, _swap, _insert, _template, _picture, _question, _undo):
        if job := make(workflow, random):
            yield job
    for damage in ("broken link", "wrong combo", "wrong model family", "missing node"):
        yield _repair(workflow, damage)


def seeds_job(workflow: Workflow) -> Job:
    """Only of workflows that run without a model."""

    def check(_prompt: Prompt, answer: str) -> str | None:
        named = answer.count(".png")
        return None if named >= len(SEEDS) else f"the answer names {named} pictures"

    request = "Run it with the seeds {}, {} and {}, and name the pictures.".format(*SEEDS)
    return Job("compare seeds", workflow.name, workflow.nodes, [request], check)


def _value(workflow: Workflow, random: Random) -> Job | None:
    chosen = _number(workflow.prompt, random)
    if chosen is None:
        return None
    node_type, widget, value, expected = chosen
    request = f"Set {widget} to {value} on every {node_type}."
    return Job(
        "change a value",
        workflow.name,
        workflow.nodes,
        [request],
        lambda after, _: difference(expected, after),
    )


def _undo(workflow: Workflow, random: Random) -> Job | None:
    chosen = _number(workflow.prompt, random)
    if chosen is None:
        return None
    node_type, widget, value, expected = chosen
    requests = [f"Set {widget} to {value} on every {node_type}.", "Undo that."]
    return Job(
        "undo",
        workflow.name,
        workflow.nodes,
        requests,
        lambda after, _: difference(workflow.prompt, after),
        first_check=lambda after, _: difference(expected, after),
    )


def _template(workflow: Workflow, random: Random) -> Job | None:
    chosen = _number(workflow.prompt, random)
    if chosen is None or "+" in workflow.name:
        return None
    node_type, widget, value, expected = chosen
    request = f'Open the template "{workflow.name}" and set {widget} to {value} on every {node_type}.'
    return Job(
        "use a template",
        workflow.name,
        workflow.nodes,
        [request],
        lambda after, _: difference(expected, after),
        opens=False,
    )


def _number(prompt: Prompt, random: Random) -> tuple[str, str, int, Prompt] | None:
    """A widget that is a number in all nodes of a type, a new value for it, and what would run then."""
    choices = sorted(
        {
            (entry["class_type"], name)
            for entry in prompt.values()
            for name, value in entry["inputs"].items()
            if name in NUMBERS and isinstance(value, (int, float))
        }
    )
    random.shuffle(choices)
    for node_type, name in choices:
        nodes = of_type(prompt, node_type)
        if all(isinstance(prompt[node]["inputs"].get(name), (int, float)) for node in nodes):
            value = (
                1
                if name in ("denoise", "strength_model")
                else 16 * random.randint(20, 60)
                if name in ("width", "height")
                else random.randint(2, 9)
            )
            return node_type, name, value, with_values(prompt, {(node, name): value for node in nodes})
    return None


def _lora(workflow: Workflow, _random: Random) -> Job | None:
    loaders = of_type(workflow.prompt, "CheckpointLoaderSimple")
    if len(loaders) != 1:
        return None
    [loader] = loaders
    request = f'Add the LoRA "{LORA}" with strength 0.7 to model and clip of the checkpoint.'

    def check(after: Prompt, _answer: str) -> str | None:
        added = [node for node in of_type(after, "LoraLoader") if after[node]["inputs"]["lora_name"] == LORA]
        if len(added) != 1:
            return f"{len(added)} nodes load the LoRA"
        [new] = added
        inputs = after[new]["inputs"]
        wanted = {"model": [loader, 0], "clip": [loader, 1], "strength_model": 0.7, "strength_clip": 0.7}
        if wrong := [name for name, value in wanted.items() if inputs.get(name) != value]:
            return f"{new}.{wrong[0]} is {inputs.get(wrong[0])!r}"
        moved = {place: [new, slot] for slot in (0, 1) for place in links_from(workflow.prompt, loader, slot)}
        return difference(with_values(workflow.prompt, moved), without(after, new))

    return Job("add a LoRA", workflow.name, workflow.nodes, [request], check)


def _swap(workflow: Workflow, _random: Random) -> Job | None:
    loaders = of_type(workflow.prompt, "CheckpointLoaderSimple")
    if len(loaders) != 1:
        return None
    [loader] = loaders
    request = f'Load "{UNET}" by UNETLoader, "{CLIP}" by CLIPLoader and "{VAE}" by VAELoader in its place.'
    parts = (
        ("UNETLoader", "unet_name", UNET),
        ("CLIPLoader", "clip_name", CLIP),
        ("VAELoader", "vae_name", VAE),
    )

    def check(after: Prompt, _answer: str) -> str | None:
        if loader in after:
            return "the checkpoint is still loaded"
        moved: dict[tuple[str, str], Any] = {}
        added = []
        for slot, (node_type, widget, file) in enumerate(parts):
            readers = list(links_from(workflow.prompt, loader, slot))
            new = [node for node in of_type(after, node_type) if after[node]["inputs"].get(widget) == file]
            if readers and len(new) != 1:
                return f"{len(new)} nodes load {file}"
            added += new
            moved.update({place: [new[0], 0] for place in readers})
        expected = with_values(without(workflow.prompt, loader), moved)
        return difference(expected, without(after, *added))

    return Job("swap a loader", workflow.name, workflow.nodes, [request], check)


def _insert(workflow: Workflow, _random: Random) -> Job | None:
    targets = of_type(workflow.prompt, "SaveImage")
    if not targets or any(":" in node for node in targets):
        return None
    request = "Put an ImageScaleBy with scale_by 1.5 in front of every SaveImage."

    def check(after: Prompt, _answer: str) -> str | None:
        added, moved = [], {}
        for node in targets:
            source = after.get(node, {}).get("inputs", {}).get("images", [None])[0]
            entry = after.get(source or "", {"class_type": "nothing", "inputs": {}})
            inputs = entry["inputs"]
            if entry["class_type"] != "ImageScaleBy" or inputs.get("scale_by") != 1.5:
                return f"{node} gets its picture from {entry['class_type']}"
            if inputs.get("image") != workflow.prompt[node]["inputs"]["images"]:
                return f"{source}.image is {inputs.get('image')!r}"
            added.append(source)
            moved[node, "images"] = [source, 0]
        return difference(with_values(workflow.prompt, moved), without(after, *added))

    return Job("insert a node", workflow.name, workflow.nodes, [request], check)


def _picture(workflow: Workflow, random: Random) -> Job | None:
    loaders = of_type(workflow.prompt, "LoadImage")
    if not loaders:
        return None
    node = random.choice(sorted(loaders))
    request = f"Use the picture of the harbor from the input folder in node {node}."
    expected = with_values(workflow.prompt, {(node, "image"): PICTURE})
    return Job(
        "use a picture",
        workflow.name,
        workflow.nodes,
        [request],
        lambda after, _: difference(expected, after),
    )


def _question(workflow: Workflow, random: Random) -> Job | None:
    choices = sorted(
        (node, entry["class_type"], name, str(value))
        for node, entry in workflow.prompt.items()
        for name, value in entry["inputs"].items()
        if name in (*NUMBERS, "sampler_name", "scheduler", "upscale_method") and not isinstance(value, list)
    )
    if not choices:
        return None
    node, node_type, name, value = random.choice(choices)
    request = f"What are {name} of the {node_type} {node}?"

    def check(after: Prompt, answer: str) -> str | None:
        if f"{name} is {value}" not in answer:
            return f"the answer is not {value}: {answer[:200]}"
        return difference(workflow.prompt, after)

    return Job("tell a value", workflow.name, workflow.nodes, [request], check)


def _repair(workflow: Workflow, damage: str) -> Job:
    def check(after: Prompt, _answer: str) -> str | None:
        return difference(workflow.prompt, after)

    request = "This workflow does not run. Find out why and repair it."
    return Job(f"repair: {damage}", workflow.name, workflow.nodes, [request], check, damage=damage)

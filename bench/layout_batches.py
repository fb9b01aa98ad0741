"""What the layout benchmark does to a workflow: batches of edits, groups, and nodes laid out anew."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.host.canvas import Box

# What takes an output of a type, by the input's name; those that give the type again can stand in a link.
TAKES = {
    "IMAGE": (
        ("ImageInvert", "image"),
        ("ImageBlur", "image"),
        ("PreviewImage", "images"),
        ("SaveImage", "images"),
    ),
    "LATENT": (("LatentFlip", "samples"), ("LatentUpscaleBy", "samples")),
    "MODEL": (("LoraLoaderModelOnly", "model"), ("ModelSamplingSD3", "model")),
    "CLIP": (("CLIPTextEncode", "clip"), ("CLIPSetLastLayer", "clip")),
    "CONDITIONING": (("ConditioningZeroOut", "conditioning"),),
}
BETWEEN = {
    "IMAGE": ("ImageInvert", "ImageBlur"),
    "LATENT": ("LatentFlip", "LatentUpscaleBy"),
    "MODEL": ("LoraLoaderModelOnly", "ModelSamplingSD3"),
    "CLIP": ("CLIPSetLastLayer",),
    "CONDITIONING": ("ConditioningZeroOut",),
}
LOADERS = ("LoadImage", "EmptyImage", "VAELoader", "EmptyLatentImage")

Node = dict[str, Any]


@dataclass(frozen=True)
class Batch:
    tool: str
    arguments: dict[str, Any]
    """The nodes that are laid out anew, and those that come into one group."""
    arranged: frozenset[str] = frozenset()
    grouped: frozenset[str] = frozenset()


@dataclass
class Canvas:
    nodes: list[Node]
    boxes: dict[str, Box]
    """Title and box of each, in the page's order."""
    frames: list[tuple[str, Box]] = field(default_factory=list)

    def members(self, frame: Box) -> frozenset[str]:
        return frozenset(node_id for node_id, box in self.boxes.items() if is_amid(frame, box))


def is_amid(frame: Box, box: Box) -> bool:
    """As ComfyUI counts the nodes of a group: by their middles, title bars included."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]


def random_batch(canvas: Canvas, chance: random.Random) -> Batch:
    kind = chance.choice(["edits", "edits", "before an end", "arrange", "group"])
    if kind == "arrange":
        return arranging(canvas, chance)
    operations = {"edits": edits, "before an end": before_an_end, "group": grouping}[kind]
    found = list(operations(canvas, chance)) or list(edits(canvas, chance))
    grouped = frozenset(node_id for each in found if each["op"] == "group" for node_id in each["nodes"])
    return Batch("editWorkflow", {"operations": found}, grouped=grouped)


def arranging(canvas: Canvas, chance: random.Random) -> Batch:
    """A group, some nodes that hang together, or everything."""
    titles = [title for title, _ in canvas.frames]
    groups = [
        (title, members)
        for title, frame in canvas.frames
        for members in [canvas.members(frame)]
        if len(members) > 1 and titles.count(title) == 1
    ]
    kind = chance.choice(["group", "group", "some", "some", "all"])
    if kind == "group" and groups:
        title, members = chance.choice(groups)
        return Batch("arrangeNodes", {"nodes": [f'group "{title}"']}, arranged=members)
    if kind == "all":
        return Batch("arrangeNodes", {}, arranged=frozenset(canvas.boxes))
    some = neighbours(canvas.nodes, chance, chance.randint(3, 8))
    return Batch("arrangeNodes", {"nodes": some}, arranged=frozenset(some))


def grouping(canvas: Canvas, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Some nodes that hang together, at times with a new one that shows a picture."""
    some = neighbours(canvas.nodes, chance, chance.randint(2, 6))
    images = [
        f"{node['id']}.{output['name']}"
        for node in canvas.nodes
        if node["id"] in some
        for output in node["outputs"]
        if output["type"] == "IMAGE"
    ]
    if images and chance.random() < 0.5:
        yield {
            "op": "add",
            "type": "PreviewImage",
            "as": "shown",
            "inputs": {"images": chance.choice(images)},
        }
        some = [*some, "shown"]
    yield {"op": "group", "nodes": some, "title": "Together"}


def before_an_end(canvas: Canvas, chance: random.Random) -> Iterator[dict[str, Any]]:
    """One node or a chain of two into a link whose target feeds nothing."""
    feeding = {link["from"] for node in canvas.nodes for link in node["links"]}
    ends = [
        (node["id"], link)
        for node in canvas.nodes
        if node["id"] not in feeding
        for link in node["links"]
        if link["type"] in BETWEEN
    ]
    if not ends:
        return
    target, link = chance.choice(ends)
    for _ in range(chance.randint(1, 2)):
        node_type = chance.choice(BETWEEN[link["type"]])
        yield {"op": "insert", "type": node_type, "to": f"{target}.{link['name']}"}


def neighbours(nodes: Sequence[Node], chance: random.Random, count: int) -> list[str]:
    """Some that links join, as far as there are so many."""
    linked: Mapping[str, set[str]] = {node["id"]: set() for node in nodes}
    for node in nodes:
        for link in node["links"]:
            if link["from"] in linked:
                linked[node["id"]].add(link["from"])
                linked[link["from"]].add(node["id"])
    some = [chance.choice(sorted(linked))]
    while len(some) < count:
        around = sorted({each for node_id in some for each in linked[node_id]} - set(some))
        if not around:
            break
        some.append(chance.choice(around))
    return some


def edits(canvas: Canvas, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Nodes behind outputs that are there, nodes in links, nodes behind what the batch has added, and loaders."""
    nodes = canvas.nodes
    outputs = [
        (node["id"], output) for node in nodes for output in node["outputs"] if output["type"] in TAKES
    ]
    links = [(node["id"], link) for node in nodes for link in node["links"] if link["type"] in BETWEEN]
    last: tuple[str, str] | None = None
    for number in range(chance.randint(1, 6)):
        kind = chance.choice(["behind", "behind", "between", "chain", "loader"])
        if kind == "between" and links:
            target, link = links.pop(chance.randrange(len(links)))
            yield {
                "op": "insert",
                "type": chance.choice(BETWEEN[link["type"]]),
                # An output may have the name of the input, too.
                "from": link["from"],
                "to": f"{target}.{link['name']}",
            }
        elif kind == "chain" and last:
            source, of = last
            node_type, name = chance.choice(TAKES[of])
            yield {"op": "add", "type": node_type, "as": f"n{number}", "inputs": {name: source}}
            last = (f"n{number}", of) if node_type in BETWEEN[of] else last
        elif kind == "behind" and outputs:
            source, output = chance.choice(outputs)
            node_type, name = chance.choice(TAKES[output["type"]])
            reference = f"{source}.{output['name']}"
            yield {"op": "add", "type": node_type, "as": f"n{number}", "inputs": {name: reference}}
            if node_type in BETWEEN[output["type"]]:
                last = (f"n{number}", output["type"])
        else:
            yield {"op": "add", "type": chance.choice(LOADERS), "as": f"n{number}"}

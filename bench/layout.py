"""Where random batches of edits put their nodes, on the official templates in the real page."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.report import Figure, Report, at_most
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION, FRONTEND
from dev.comfyui_process import running_comfyui
from dev.component import ensure
from dev.places import SCREENSHOTS, shown
from dev.templates import NODE_PACKAGES, OF_THIS_COMFYUI, TEMPLATE_NODES, TEMPLATE_WORKFLOWS
from tests.host.bridge import Bridge, bundle_bridge
from tests.host.canvas import Box, boxes, contains, overlap, visible_area
from tests.host.comfy import ComfyPage
from tests.host.official_templates import known_templates
from tests.host.panel import Panel

BATCHES = 200
PICTURES = 10
A_FRESH_PAGE_EVERY = 40
MOST_NODES = 120

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
# What ComfyUI makes of nodes once they show a picture, as it was measured.
HEIGHT_WITH_PICTURE = {"LoadImage": 314, "SaveImage": 270, "PreviewImage": 246}

LOAD = """async (workflow) => {
    const quiet = { showMissingNodesDialog: false, showMissingModelsDialog: false };
    await app.loadGraphData(workflow, true, true, null, quiet);
}"""
GRAPH = """() => app.graph.nodes.map((node) => ({
    id: String(node.id),
    type: node.type,
    outputs: (node.outputs ?? []).map(({ name, type }) => ({ name, type: String(type) })),
    links: (node.inputs ?? []).flatMap(({ name, type, link }) => {
        const from = app.graph.getLink(link);
        return from ? [{ name, type: String(type), from: String(from.origin_id) }] : [];
    }),
}))"""

Node = dict[str, Any]


@dataclass
class Found:
    """Over all batches: how many nodes were added, and the batches in which a rule was broken."""

    batches: int = 0
    added: int = 0
    refused: list[str] = field(default_factory=list)
    overlapping: list[str] = field(default_factory=list)
    left_of_source: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    out_of_sight: list[str] = field(default_factory=list)


def measure() -> Report:
    ensure(COMFYUI_WITH_EXTENSION, chromium.CHROMIUM, TEMPLATE_WORKFLOWS, TEMPLATE_NODES)
    found = Found()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_comfyui(Path(folder) / "base", environment={"PYTHONPATH": str(NODE_PACKAGES)}) as comfyui,
        sync_playwright() as playwright,
    ):
        script = bundle_bridge(Path(folder) / "bridge.js")
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        comfy = ComfyPage(browser.new_page(viewport={"width": 1440, "height": 900}), comfyui.url)
        comfy.open()
        definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
        templates = [
            each
            for each in known_templates(OF_THIS_COMFYUI, definitions)
            if len(each[1]["nodes"]) <= MOST_NODES
        ]
        bridge = fresh_page(comfy, script)
        for seed in range(BATCHES):
            if seed > 0 and seed % A_FRESH_PAGE_EVERY == 0:
                bridge = fresh_page(comfy, script)
            chance = random.Random(seed)
            name, workflow = chance.choice(templates)
            try_batch(comfy, bridge, f"{seed} {name}", workflow, chance, found)
        browser.close()
    return report(found)


def fresh_page(comfy: ComfyPage, script: str) -> Bridge:
    comfy.page.goto("about:blank")
    comfy.open()
    Panel(comfy.page).open()
    return Bridge(comfy.page, script)


def try_batch(
    comfy: ComfyPage,
    bridge: Bridge,
    name: str,
    workflow: Mapping[str, Any],
    chance: random.Random,
    found: Found,
) -> None:
    comfy.page.evaluate(LOAD, workflow)
    nodes = comfy.page.evaluate(GRAPH)
    operations = list(random_batch(nodes, chance))
    before = boxes(comfy)
    bridge.call("getWorkflowInfo", {})
    done = bridge.edit(*operations)
    if not done["ok"]:
        found.refused.append(f"{name}: {done['error']}")
        return
    graph: list[Node] = comfy.page.evaluate(GRAPH)
    now = {node["id"]: whole(node, box) for node in graph for box in [boxes(comfy)[node["id"]]]}
    added = [node for node in graph if node["id"] not in before]
    found.batches += 1
    found.added += len(added)
    note(found.moved, name, [node for node, box in before.items() if box[:2] != now[node][:2]])
    note(found.overlapping, name, [node["id"] for node in added if hits(node["id"], now)])
    note(
        found.left_of_source,
        name,
        [node["id"] for node in added for link in node["links"] if now[node["id"]][0] < now[link["from"]][2]],
    )
    view = visible_area(comfy)
    note(
        found.out_of_sight,
        name,
        [node["id"] for node in added if not contains(view, boxes(comfy)[node["id"]])],
    )
    if seed_of(name) < PICTURES:
        print(shown(comfy.screenshot(SCREENSHOTS / "layout" / f"{name.replace(' ', '-')}.png")), flush=True)


def random_batch(nodes: Sequence[Node], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Nodes behind outputs that are there, nodes in links, nodes behind what the batch has added, and loaders."""
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


def whole(node: Node, box: Box) -> Box:
    """With the picture that it will show."""
    left, top, right, bottom = box
    return [left, top, right, max(bottom, top + 30 + HEIGHT_WITH_PICTURE.get(node["type"], 0))]


def hits(node: str, among: Mapping[str, Box]) -> bool:
    return any(other != node and overlap(among[node], among[other]) for other in among)


def note(where: list[str], name: str, nodes: Sequence[str]) -> None:
    if nodes:
        where.append(f"{name}: {', '.join(nodes)}")


def seed_of(name: str) -> int:
    return int(name.split(" ")[0])


def report(found: Found) -> Report:
    lists = (found.refused, found.overlapping, found.left_of_source, found.moved, found.out_of_sight)
    print("\n".join(line for lines in lists for line in lines), flush=True)
    return Report(
        name="layout",
        title="Places of new nodes",
        how=(
            f"{BATCHES} random batches of 1 to 6 edits on the official templates of {OF_THIS_COMFYUI} with up to "
            f"{MOST_NODES} nodes, in frontend {FRONTEND} with the panel open: nodes behind outputs that are there, in "
            "links, behind each other, and loaders. Nodes that show pictures count as high as they become by them."
        ),
        figures=[
            Figure("batches carried out, nodes added", f"{found.batches}, {found.added}"),
            at_most("batches refused", len(found.refused), 0, "", 0),
            at_most("batches with an overlap of a new node", len(found.overlapping), 0, "", 0),
            at_most("batches with a new node left of its source", len(found.left_of_source), 0, "", 0),
            at_most("batches that moved another node", len(found.moved), 0, "", 0),
            at_most("batches with a new node out of sight", len(found.out_of_sight), 0, "", 0),
        ],
    )

"""Where random batches put nodes and frames, on the official templates in the real page."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.layout_batches import Canvas, random_batch
from bench.layout_faults import Faults
from bench.report import Figure, Report, at_most
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION, FRONTEND
from dev.comfyui_process import running_comfyui
from dev.component import ensure
from dev.places import SCREENSHOTS, shown
from dev.templates import NODE_PACKAGES, OF_THIS_COMFYUI, TEMPLATE_NODES, TEMPLATE_WORKFLOWS
from tests.host.bridge import Bridge, bundle_bridge
from tests.host.canvas import boxes, contains, visible_area
from tests.host.comfy import ComfyPage
from tests.host.official_templates import known_templates
from tests.host.panel import Panel

BATCHES = 200
PICTURES = 10
A_FRESH_PAGE_EVERY = 40
MOST_NODES = 120

ALL_IN_VIEW = "() => window.bridgeInPage.comfy.bringIntoView(undefined, { always: true })"
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

FRAMES = """() => (app.graph.groups ?? app.graph._groups ?? []).map(({ title, pos, size }) =>
    [title, [pos[0], pos[1], pos[0] + size[0], pos[1] + size[1]]])"""


@dataclass
class Found:
    batches: int = 0
    arranged: int = 0
    added: int = 0
    refused: list[str] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)


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
    before = canvas_of(comfy)
    batch = random_batch(before, chance)
    bridge.call("getWorkflowInfo", {})
    done = bridge.call(batch.tool, batch.arguments)
    if not done["ok"]:
        found.refused.append(f"{name}: {done['error']}")
        return
    after = canvas_of(comfy)
    added = [node for node in after.boxes if node not in before.boxes]
    found.batches += 1
    found.arranged += bool(batch.arranged)
    found.added += len(added)
    found.faults.note(name, batch, before, after, done)
    view = visible_area(comfy)
    hidden = [node for node in added if not contains(view, after.boxes[node])]
    if hidden:
        found.faults.out_of_sight.append(f"{name}: {', '.join(hidden)}")
    if seed_of(name) < PICTURES:
        comfy.page.evaluate(ALL_IN_VIEW)
        print(shown(comfy.screenshot(SCREENSHOTS / "layout" / f"{name.replace(' ', '-')}.png")), flush=True)


def canvas_of(comfy: ComfyPage) -> Canvas:
    return Canvas(
        comfy.page.evaluate(GRAPH),
        boxes(comfy),
        [(title, box) for title, box in comfy.page.evaluate(FRAMES)],
    )


def seed_of(name: str) -> int:
    return int(name.split(" ")[0])


def report(found: Found) -> Report:
    faults = found.faults
    rules = {
        "batches with an overlap of a new or moved node": faults.overlapping,
        "batches with a node that a frame cuts or holds unasked": faults.cut,
        "batches that threw a node out of its group": faults.thrown_out,
        "batches that made what they laid out longer without a word": faults.grown,
        "batches that laid all out with longer wires": faults.longer_wires,
        "batches with a wire that runs back and did not before": faults.backwards,
        "batches that moved something without a word": faults.untold,
        "batches with a new node out of sight": faults.out_of_sight,
    }
    for rule, broken in {
        "refused": found.refused,
        "for want of room": faults.for_want_of_room,
        **rules,
    }.items():
        print("\n".join([rule, *(f"    {line}" for line in broken)]), flush=True)
    return Report(
        name="layout",
        title="Places of nodes and frames",
        how=(
            f"{BATCHES} random batches on the official templates of {OF_THIS_COMFYUI} with up to {MOST_NODES} "
            f"nodes, in frontend {FRONTEND} with the panel open: 1 to 6 nodes behind outputs that are there, in "
            "links, behind each other, and loaders; nodes before the end of the workflow; a new group; a group, "
            "some nodes or all laid out anew. New nodes that show pictures count as high as they become by them. "
            "In what is laid out and in a new frame, a wire to a node wholly below its source may run back; in a "
            "new frame also one from a source wholly below what it feeds, anywhere one within a column that a new "
            "node goes on with, and one where the nodes between which something has to stand leave less room than "
            "it takes. What is laid out anew may not get longer without a word, nor the wires of all nodes "
            "longer, unless some lay on others. What was so before the batch is not counted."
        ),
        figures=[
            Figure(
                "batches carried out, of these laid out anew, nodes added",
                f"{found.batches}, {found.arranged}, {found.added}",
            ),
            at_most("batches refused", len(found.refused), 0, "", 0),
            Figure("batches with a wire that runs back for want of room", f"{len(faults.for_want_of_room)}"),
            *(at_most(rule, len(broken), 0, "", 0) for rule, broken in rules.items()),
        ],
    )

"""How long a person waits for an edit of a very large workflow, and for its undo, beside ComfyUI's own change."""

from __future__ import annotations

import random
import statistics
from typing import Any

from bench.merged_templates import merged
from bench.report import Figure, Report, at_most
from bench.template_page import TemplatePage, template_page
from dev.comfyui import FRONTEND
from dev.frontends import NEWER_FRONTEND
from dev.templates import OF_THIS_COMFYUI
from tests.host.official_templates import known_templates

NODES = 1_000
ROUNDS = 6
GOAL = 300

# One value changed and taken back, by ComfyUI alone and by the assistant, each until two frames later.
PREPARE = """async (workflow) => {
    const quiet = { showMissingNodesDialog: false, showMissingModelsDialog: false };
    await app.loadGraphData(workflow, true, false, null, quiet);
    const { call, comfy } = window.bridgeInPage;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const frames = async (count) => { for (; count > 0; count--) await frame(); };
    await frames(30);
    const id = String(app.graph.nodes.find(({ type }) => type === "KSampler").id);
    const sampler = () => app.graph.nodes.find((node) => String(node.id) === id);
    const steps = () => sampler().widgets.find(({ name }) => name === "steps");
    const tracker = () => app.extensionManager.workflow.activeWorkflow.changeTracker;
    const capture = () => (tracker().captureCanvasState ?? tracker().checkState).call(tracker());
    // Newer frontends look again 50 ms after each step, by hand or not: `look` says what one look takes.
    if (tracker().squashState) tracker().squashState = () => {};
    let round = 0;
    window.large = {
        async hand() {
            round += 1;
            steps().value = 40 + round;
            steps().callback?.(40 + round, app.canvas);
            capture();
            await frames(2);
        },
        async handUndone() {
            await app.extensionManager.command.execute("Comfy.Undo");
            await frames(2);
        },
        look: capture,
        async read() {
            await call("getWorkflowInfo", {});
            await new Promise((resolve) => setTimeout(resolve, 1500));
        },
        async edit() {
            const operations = [{ op: "set", node: id, widgets: { steps: 60 + round } }];
            const done = await call("editWorkflow", { operations }, { turn: `turn ${round}` });
            if (!done.ok) throw new Error(done.error);
        },
        async undone() {
            const inTheWay = await comfy.toggleTurn(`turn ${round}`);
            if (inTheWay.length > 0) throw new Error(inTheWay.join());
            await frames(2);
        },
    };
}"""

READINGS = """async () => {
    await window.large.read();
    const prototype = Object.getPrototypeOf(app.graph);
    const { serialize } = prototype;
    let count = 0;
    prototype.serialize = function (...args) { count++; return serialize.apply(this, args); };
    try { await window.large.edit(); } finally { prototype.serialize = serialize; }
    return count;
}"""

STEPS = ("hand", "handUndone", "look", "edit", "undone")


def measure() -> Report:
    figures: list[Figure] = []
    for frontend in (FRONTEND, NEWER_FRONTEND):
        with template_page(frontend) as page:
            templates = list(known_templates(OF_THIS_COMFYUI, page.definitions()))
            figures += figures_of(frontend, page, merged(templates, random.Random(0), NODES))
    return Report(
        name="large-edits",
        title="An edit of a very large workflow",
        how=(
            f"Official templates side by side, {NODES:,} nodes beside notes. One value is changed and taken back, by "
            f"hand (ComfyUI's own step and its own undo) and by the assistant, {ROUNDS} times in turn in one page. "
            "What counts is the processor time of the page, ComfyUI's own scripts and drawing included, until the "
            "result of the edit is there or two frames are drawn; medians. Newer frontends read the "
            "workflow once more 50 ms after each step, be it by hand or not: that takes a look and is counted in none."
        ),
        figures=figures,
    )


def figures_of(frontend: str, page: TemplatePage, workflow: dict[str, Any]) -> list[Figure]:
    page.evaluate(PREPARE, workflow, fresh_every=1)
    times: dict[str, list[float]] = {step: [] for step in STEPS}
    for _ in range(ROUNDS):
        for step in STEPS:
            page.busy_time("() => window.large.read()")
            times[step].append(page.busy_time(f"() => window.large.{step}()"))
    readings = page.evaluate(READINGS, None)
    middle = {step: statistics.median(values) for step, values in times.items()}
    return [
        at_most(f"{frontend}: an edit of one value", middle["edit"], GOAL, "ms", 0),
        Figure("the same change by hand", f"{middle['hand']:,.0f} ms"),
        at_most(f"{frontend}: the edit's undo", middle["undone"], GOAL, "ms", 0),
        Figure("ComfyUI's own undo of the change by hand", f"{middle['handUndone']:,.0f} ms"),
        Figure("a look of ComfyUI's own whether something has changed", f"{middle['look']:,.0f} ms"),
        at_most(f"{frontend}: readings of the whole workflow for an edit", readings, 2, "", 0),
    ]

"""The live bridge and the browser tools, called in ComfyUI's page without a panel and a model."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from dev.places import BIN, ROOT

NEW_BRIDGE = "() => { window.newBridgeInPage?.(); return Boolean(window.newBridgeInPage); }"

# Counts the calls by which ComfyUI's own objects are changed, and lets the one with this number fail.
STOPPED_EDIT = """async ([operations, failing]) => {
    const { comfy, call } = window.bridgeInPage;
    const edit = comfy.edit;
    let count = 0;
    const stopping = (editor) => new Proxy(editor, {
        get: (target, name) => (...args) => {
            if (name === "within") return stopping(target.within(...args));
            if (count++ === failing) throw new Error("stopped");
            return target[name](...args);
        },
    });
    comfy.edit = (change, options) => edit((editor) => change(stopping(editor)), options);
    try {
        return await call("editWorkflow", { operations });
    } finally {
        comfy.edit = edit;
    }
}"""


def bundle_bridge(target: Path) -> str:
    subprocess.run([BIN / "node", "scripts/bridge.ts", target], cwd=ROOT / "ui", check=True)
    return target.read_text("utf-8")


class Bridge:
    def __init__(self, page: Page, script: str) -> None:
        self.page = page
        if not page.evaluate(NEW_BRIDGE):
            page.evaluate(script)
            assert page.evaluate(NEW_BRIDGE)

    def failing_behaviours(self) -> list[str]:
        return self.page.evaluate("() => window.bridgeInPage.failingBehaviours()")

    def call(self, tool: str, arguments: dict[str, Any], **context: str) -> dict[str, Any]:
        """A browser tool's result; `context` names the turn and the workflow, as the panel does."""
        return self.page.evaluate(
            "([tool, args, context]) => window.bridgeInPage.call(tool, args, context)",
            [tool, arguments, context],
        )

    def edit(self, *operations: dict[str, Any], **context: str) -> dict[str, Any]:
        return self.call("editWorkflow", {"operations": list(operations)}, **context)

    def edit_stopped_at(self, step: int, operations: list[dict[str, Any]]) -> dict[str, Any]:
        """The same, with ComfyUI failing at one step of it, if there are so many."""
        return self.page.evaluate(STOPPED_EDIT, [operations, step])

    def turn_state(self, turn: str) -> str | None:
        return self.page.evaluate("(turn) => window.bridgeInPage.comfy.turnState(turn)", turn)

    def toggle_turn(self, turn: str) -> list[str]:
        """Undo or redo it; what is in the way."""
        return self.page.evaluate("(turn) => window.bridgeInPage.comfy.toggleTurn(turn)", turn)

    def kept_turns(self) -> Any:
        """What the page keeps of turns when it is loaded anew."""
        return self.page.evaluate("() => JSON.parse(JSON.stringify(window.bridgeInPage.comfy.keptTurns()))")

    def restore_turns(self, kept: Any) -> None:
        self.page.evaluate("(kept) => window.bridgeInPage.comfy.restoreTurns(kept)", kept)

    def workflow_key(self) -> str:
        return self.page.evaluate("() => window.bridgeInPage.comfy.workflow().key")

    def saved(self) -> str:
        """The workflow as ComfyUI would save it, byte for byte."""
        return self.page.evaluate("() => JSON.stringify(app.graph.serialize())")

    def read(self) -> str:
        """The workflow as our tools read it, byte for byte."""
        return self.page.evaluate("() => JSON.stringify(window.bridgeInPage.comfy.whole.read().workflow)")

    @staticmethod
    def content(saved: str) -> Any:
        """What of a saved workflow a person would miss; sizes and counters may go on after an undo."""
        workflow = json.loads(saved)
        fields = ("id", "type", "pos", "mode", "title", "widgets_values")
        nodes = [{field: node.get(field) or None for field in fields} for node in workflow["nodes"]]
        return {"nodes": nodes, "links": workflow["links"], "groups": workflow["groups"]}

    def set_by_hand(self, node: str, widget: str, value: Any) -> None:
        """Change a widget as a person does, ComfyUI noticing it."""
        self.page.evaluate(
            """([id, name, value]) => {
                const node = app.graph.nodes.find((each) => String(each.id) === id);
                const widget = node.widgets.find((each) => each.name === name);
                widget.value = value;
                widget.callback?.(value, app.canvas, node);
                const tracker = app.extensionManager.workflow.activeWorkflow.changeTracker;
                (tracker.captureCanvasState ?? tracker.checkState).call(tracker);
            }""",
            [node, widget, value],
        )

    def position(self, node: str) -> list[float]:
        return self.page.evaluate(
            "(id) => [...app.graph.nodes.find((each) => String(each.id) === id).pos]", node
        )

    def title_on_screen(self, node: str) -> tuple[float, float]:
        x, y = self.page.evaluate(
            """(id) => {
                const { pos } = app.graph.nodes.find((each) => String(each.id) === id);
                const { ds, canvas } = app.canvas;
                const whole = canvas.getBoundingClientRect();
                return [
                    whole.left + (pos[0] + ds.offset[0] + 60) * ds.scale,
                    whole.top + (pos[1] + ds.offset[1] - 12) * ds.scale,
                ];
            }""",
            node,
        )
        return x, y

    def color_left_of(self, node: str) -> list[int]:
        """Red, green and blue of the canvas where the outline of a marked node would be."""
        return self.page.evaluate(
            """(id) => {
                const node = app.graph.nodes.find((each) => String(each.id) === id);
                const { ds, canvas } = app.canvas;
                app.canvas.draw(true, true);
                const x = (node.pos[0] - 6 + ds.offset[0]) * ds.scale;
                const y = (node.pos[1] + 20 + ds.offset[1]) * ds.scale;
                const ratio = canvas.width / canvas.getBoundingClientRect().width;
                return [...canvas.getContext("2d").getImageData(x * ratio, y * ratio, 1, 1).data].slice(0, 3);
            }""",
            node,
        )

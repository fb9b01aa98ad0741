"""Where the nodes of ComfyUI's page lie: as they are drawn, pictures included."""

from __future__ import annotations

from typing import Any

from tests.host.comfy import ComfyPage

# By id: left, top, right, bottom in the graph's coordinates. Nodes 2.0 draw elements that may be higher than `size`,
# and a collapsed node is its title bar.
BOXES = """() => {
    const { ds } = app.canvas;
    return Object.fromEntries(app.graph.nodes.map((node) => {
        const [x, y] = node.pos;
        if (node.flags?.collapsed)
            return [String(node.id), [x, y - 30, x + (node._collapsed_width || 80), y]];
        const drawn = document.querySelector(`[data-node-id="${node.id}"]`)?.getBoundingClientRect();
        const height = Math.max(node.size[1], drawn ? drawn.height / ds.scale - 30 : 0);
        return [String(node.id), [x, y - 30, x + node.size[0], y + height]];
    }));
}"""
VISIBLE = """() => {
    const { ds, canvas } = app.canvas;
    const whole = canvas.getBoundingClientRect();
    const free = document.querySelector(".graph-canvas-panel").getBoundingClientRect();
    const x = (left) => (left - whole.left) / ds.scale - ds.offset[0];
    const y = (top) => (top - whole.top) / ds.scale - ds.offset[1];
    return [x(free.left), y(free.top), x(free.right), y(free.bottom)];
}"""

Box = list[float]


def boxes(comfy: ComfyPage) -> dict[str, Box]:
    return comfy.page.evaluate(BOXES)


def visible_area(comfy: ComfyPage) -> Box:
    return comfy.page.evaluate(VISIBLE)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def contains(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def overlapping(of: dict[str, Box]) -> list[tuple[str, str]]:
    ids = sorted(of)
    return [(a, b) for i, a in enumerate(ids) for b in ids[i + 1 :] if overlap(of[a], of[b])]


def view_far_away(comfy: ComfyPage) -> None:
    comfy.page.evaluate("() => { app.canvas.ds.reset(); app.canvas.ds.offset = [-9000, -9000]; }")


def set_nodes_of_2(comfy: ComfyPage, *, shown: bool) -> None:
    """ComfyUI's "Nodes 2.0": nodes as elements of the page."""
    comfy.page.evaluate(
        "async (shown) => { await app.extensionManager.setting.set('Comfy.VueNodes.Enabled', shown); }", shown
    )
    comfy.page.wait_for_function("(shown) => Boolean(LiteGraph.vueNodesMode) === shown", arg=shown)
    if not shown:
        close_toasts(comfy)


def close_toasts(comfy: ComfyPage) -> None:
    """What ComfyUI says of it stays over the panel until it is closed."""
    comfy.page.wait_for_function(
        """() => {
            document.querySelectorAll(".p-toast-close-button").forEach((button) => button.click());
            return !document.querySelector(".p-toast-message");
        }"""
    )


def put_picture(comfy: ComfyPage, name: str) -> None:
    """A picture into ComfyUI's input folder, of which the page's lists know."""
    comfy.page.evaluate(
        """async (name) => {
            const canvas = new OffscreenCanvas(64, 64);
            canvas.getContext("2d").fillRect(0, 0, 64, 64);
            const form = new FormData();
            form.append("image", new File([await canvas.convertToBlob()], name, { type: "image/png" }));
            await window.comfyAPI.api.api.fetchApi("/upload/image", { method: "POST", body: form });
            await app.refreshComboInNodes();
        }""",
        name,
    )


def ids_by_type(comfy: ComfyPage) -> dict[str, Any]:
    return comfy.page.evaluate(
        "() => Object.fromEntries(app.graph.nodes.map((node) => [node.type, String(node.id)]))"
    )

"""The outlines of what a turn has changed go as soon as the person works on, also where nodes are elements."""

from __future__ import annotations

import pytest

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage

pytestmark = pytest.mark.nodes_2

# Outlines stay for 20 s; the next one stays for a moment.
HURRY = """() => {
    const wait = window.setTimeout;
    window.setTimeout = (act, time, ...rest) => {
        if (time === 20_000) window.setTimeout = wait;
        return wait(act, time === 20_000 ? 400 : time, ...rest);
    };
}"""
# Of an element of the page, or of the canvas where its outline is drawn.
OUTLINED = """(id) => {
    app.canvas.draw(true, true);
    const element = document.querySelector(`[data-node-id="${id}"]`);
    if (element) return element.style.outlineStyle === "solid";
    const node = app.graph.getNodeById(Number(id));
    const { ds, canvas } = app.canvas;
    const ratio = canvas.width / canvas.getBoundingClientRect().width;
    const x = (node.pos[0] - 6 + ds.offset[0]) * ds.scale * ratio;
    const y = (node.pos[1] + 20 + ds.offset[1]) * ds.scale * ratio;
    return Math.max(...canvas.getContext("2d").getImageData(x, y, 1, 1).data.slice(0, 3)) > 150;
}"""


def changed_node(comfy: ComfyPage, bridge: Bridge, before_change: str = "() => {}") -> str:
    added = bridge.edit({"op": "add", "type": "EmptyImage", "as": "it", "position": {"x": 0, "y": 0}})
    node = added["data"]["nodes"]["it"]
    comfy.page.evaluate("() => { app.canvas.ds.reset(); app.canvas.ds.offset = [300, 300]; }")
    comfy.page.evaluate(before_change)
    bridge.edit({"op": "set", "nodes": [node], "widgets": {"width": 128}}, turn="t")
    comfy.page.wait_for_function(OUTLINED, arg=node)
    return node


def expect_no_outline(comfy: ComfyPage, node: str) -> None:
    comfy.page.wait_for_function(f"(id) => !({OUTLINED})(id)", arg=node, timeout=3_000)


def test_a_click_on_the_canvas_takes_it_away(comfy, bridge):
    node = changed_node(comfy, bridge)
    comfy.page.mouse.click(700, 170)
    expect_no_outline(comfy, node)


def test_a_click_on_the_node_takes_it_away(comfy, bridge):
    node = changed_node(comfy, bridge)
    comfy.page.mouse.click(*bridge.title_on_screen(node))
    # The page outlines what is selected itself. At the place of the test before it would be a double click.
    comfy.page.mouse.click(900, 170)
    expect_no_outline(comfy, node)


def test_undoing_takes_it_away(comfy, bridge):
    node = changed_node(comfy, bridge)
    assert bridge.toggle_turn("t") == []
    expect_no_outline(comfy, node)

    assert bridge.toggle_turn("t") == []
    bridge.edit({"op": "set", "nodes": [node], "widgets": {"height": 128}}, turn="u")
    comfy.page.wait_for_function(OUTLINED, arg=node)
    comfy.page.locator("#graph-canvas").focus()
    comfy.page.keyboard.press("Control+z")
    comfy.page.wait_for_function("() => app.graph.nodes[0]?.widgets[1].value === 512")
    expect_no_outline(comfy, node)


def test_it_goes_after_a_while(comfy, bridge):
    node = changed_node(comfy, bridge, HURRY)
    expect_no_outline(comfy, node)


def test_another_workflow_shows_none(comfy, bridge):
    node = changed_node(comfy, bridge)
    bridge.call("applyWorkflow", {"workflow": f"{node} EmptyImage", "mode": "newTab"})
    comfy.page.evaluate("() => { app.canvas.ds.reset(); app.canvas.ds.offset = [300, 300]; }")
    expect_no_outline(comfy, node)

"""What makes edits of large workflows quick, and that nothing is read or drawn otherwise for it."""

from __future__ import annotations

import json

import pytest

from tests.host.bridge import Bridge

AS_READ = "() => JSON.stringify(window.bridgeInPage.comfy.whole.read().workflow)"

LINKS_DRAWN = """async (operation) => {
    const { call } = window.bridgeInPage;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const frames = async (count) => { for (; count > 0; count--) await frame(); };
    await frames(10);
    const { drawBackCanvas } = app.canvas;
    let drawn = false;
    app.canvas.drawBackCanvas = function (...args) {
        drawn = true;
        return drawBackCanvas.apply(this, args);
    };
    try {
        const done = await call("editWorkflow", { operations: [operation] });
        if (!done.ok) throw new Error(done.error);
        await frames(3);
        return drawn;
    } finally {
        delete app.canvas.drawBackCanvas;
    }
}"""


@pytest.mark.nodes_2
def test_a_workflow_is_read_as_the_page_saves_it(comfy, bridge: Bridge):
    made = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "image", "widgets": {"width": 64}},
        {"op": "add", "type": "ImageScale", "as": "larger", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": "larger.IMAGE"}},
        {"op": "add", "type": "Note", "as": "note"},
    )["data"]["nodes"]
    assert bridge.edit({"op": "mode", "nodes": [made["look"]], "mode": "mute"})["ok"]
    assert bridge.edit({"op": "title", "nodes": [made["note"]], "title": "Mine"})["ok"]
    assert bridge.edit({"op": "makeSubgraph", "nodes": [made["larger"]], "title": "Larger"})["ok"]

    assert json.loads(bridge.page.evaluate(AS_READ)) == json.loads(bridge.saved())
    assert bridge.page.evaluate(AS_READ) == bridge.saved()


@pytest.mark.nodes_2
def test_links_are_drawn_anew_for_what_moves_them_and_not_for_a_value(comfy, bridge: Bridge):
    made = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "image"},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": "image.IMAGE"}},
    )["data"]["nodes"]
    image, look = made["image"], made["look"]
    assert not bridge.page.evaluate(LINKS_DRAWN, {"op": "set", "nodes": [image], "widgets": {"width": 128}})
    assert bridge.page.evaluate(
        LINKS_DRAWN, {"op": "move", "nodes": [look], "position": {"x": 900, "y": 700}}
    )
    assert bridge.page.evaluate(LINKS_DRAWN, {"op": "disconnect", "to": f"{look}.images"})

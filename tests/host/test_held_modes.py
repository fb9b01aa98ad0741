"""Nodes of packs that hold their mode themselves: a page of 1.58 does not save it, and runs by it."""

from __future__ import annotations

import pytest

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.pack_nodes import listing

MUTED, BYPASSED = 2, 4

HOLD = """(id) => {
    const node = app.graph.getNodeById(Number(id));
    let held = node.mode;
    Object.defineProperty(node, "mode", {
        get: () => held,
        set: (mode) => { held = mode; },
        enumerable: true,
        configurable: true,
    });
}"""


@pytest.fixture
def held(comfy: ComfyPage) -> str:
    image = comfy.add_node("EmptyImage")
    invert = comfy.add_node("ImageInvert")
    comfy.connect(image, "IMAGE", invert, "image")
    comfy.connect(invert, "IMAGE", comfy.add_node("PreviewImage"), "images")
    comfy.page.evaluate(HOLD, invert)
    return invert


def mode_of(comfy: ComfyPage, node: str) -> int:
    return comfy.page.evaluate("(id) => app.graph.getNodeById(Number(id)).mode", node)


@pytest.mark.nodes_2
def test_the_mode_that_a_run_goes_by_is_read_and_kept_by_applying_the_reading(
    bridge: Bridge, comfy: ComfyPage, held: str
) -> None:
    comfy.page.evaluate(f"(id) => {{ app.graph.getNodeById(Number(id)).mode = {BYPASSED}; }}", held)
    prompt, saved = comfy.prompt(), bridge.saved()

    text = listing(bridge)

    assert f"{held} ImageInvert bypassed" in text
    assert bridge.saved() == saved
    applied = bridge.call("applyWorkflow", {"workflow": text})
    assert applied["ok"], applied
    assert comfy.prompt() == prompt


def test_switching_it_is_one_step_that_can_be_undone(bridge: Bridge, comfy: ComfyPage, held: str) -> None:
    done = bridge.edit({"op": "mode", "nodes": [held], "mode": "muted"}, turn="t")

    assert done["ok"], done
    assert held in done["data"]["changes"]["changed"]
    assert mode_of(comfy, held) == MUTED
    assert bridge.turn_state("t") == "done"
    assert bridge.toggle_turn("t") == []
    assert mode_of(comfy, held) == 0

"""ComfyUI's page tells in the console what is deprecated and which writes it refuses: none of it may be our doing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage

OUR_FOLDER = "/extensions/comfyui-assistant/"

# With the stack, since the place that the browser tells is the page's own function. From 1.59 some parts of `app` are
# late: who reads them is told, too.
RECORD = """() => {
    Error.stackTraceLimit = 50;
    const told = (window.toldWithStacks = []);
    const stack = () => new Error().stack.split("\\n").slice(3);
    for (const level of ["warn", "error"]) {
        const tell = console[level];
        console[level] = (...args) => {
            told.push({ text: args.map(String).join(" "), stack: stack() });
            tell.apply(console, args);
        };
    }
    const late = ["ui", "menu", "bodyTop", "bodyLeft", "bodyRight", "bodyBottom", "canvasContainer"];
    let app;
    Object.defineProperty(window, "app", {
        configurable: true,
        get: () => app,
        set(value) {
            app = value;
            for (const name of late) {
                let kept = value[name];
                Object.defineProperty(value, name, {
                    configurable: true,
                    enumerable: true,
                    get() {
                        told.push({ text: `app.${name} was read`, stack: stack().slice(0, 1) });
                        return kept;
                    },
                    set: (next) => (kept = next),
                });
            }
        },
    });
}"""


@pytest.fixture
def recorded_page(comfy: ComfyPage) -> Iterator[Page]:
    """A page of its own: it warns of each thing once."""
    page = comfy.page.context.new_page()
    page.add_init_script(f"({RECORD})()")
    ComfyPage(page, comfy.url).open()
    yield page
    page.close()


@pytest.mark.main_flow
def test_reading_editing_undoing_and_running_is_nothing_that_the_page_warns_of(recorded_page, bridge_script):
    bridge = Bridge(recorded_page, bridge_script)
    nodes = [
        {"op": "add", "type": "EmptyImage", "as": "image", "widgets": {"width": 64, "batch_size": 1}},
        {"op": "add", "type": "ImageInvert", "as": "invert", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "SaveImage", "as": "save", "inputs": {"images": "invert.IMAGE"}},
        {"op": "add", "type": "CLIPTextEncode", "as": "text", "widgets": {"text": "a cat"}},
        {"op": "add", "type": "PrimitiveNode", "as": "primitive"},
        {"op": "add", "type": "Note", "as": "note"},
        {"op": "group", "nodes": ["image", "invert"], "title": "both"},
    ]
    ids = done(bridge.edit(*nodes, turn="a"))["nodes"]
    image, invert, text = ids["image"], ids["invert"], ids["text"]
    recorded_page.evaluate("() => app.canvas.selectItems([app.graph.nodes[0]])")
    for arguments in ({}, {"view": "selection"}, {"nodes": [text]}):
        done(bridge.call("getWorkflowInfo", arguments))
    looks = [
        {"op": "set", "nodes": [image], "widgets": {"width": 128}},
        {"op": "move", "nodes": [image, invert], "position": {"x": 500, "y": 10}},
        {"op": "color", "nodes": [image], "color": "red"},
        {"op": "title", "nodes": [image], "title": "Sky"},
        {"op": "replace", "nodes": [invert], "type": "ImageBlur"},
        {"op": "bypass", "nodes": [text]},
    ]
    done(bridge.edit(*looks, turn="b"))
    done(bridge.edit({"op": "makeSubgraph", "nodes": [image, invert]}, turn="c"))
    done(bridge.call("arrangeNodes", {}, turn="c"))
    done(bridge.edit({"op": "remove", "nodes": [text]}, turn="c"))
    done(bridge.call("validateWorkflow", {}))
    done(bridge.call("executeWorkflow", {}))
    for turn in ("c", "b", "b", "c", "c"):
        assert bridge.toggle_turn(turn) == []
    done(bridge.call("applyWorkflow", {"workflow": "1 EmptyImage width=32 >IMAGE\n2 SaveImage images<1"}))

    assert told_for_us(recorded_page) == []


def done(result: dict[str, Any]) -> dict[str, Any]:
    assert result["ok"], result
    return result["data"]


def told_for_us(page: Page) -> list[str]:
    """What has a function of ours in its stack: of the panel, or of the bridge that this test has evaluated."""
    told = page.evaluate("() => window.toldWithStacks")
    ours = [each for each in told if any(is_ours(frame) for frame in each["stack"])]
    return ["\n".join([each["text"], *each["stack"]]) for each in ours]


def is_ours(frame: str) -> bool:
    return OUR_FOLDER in frame or "<anonymous>:" in frame

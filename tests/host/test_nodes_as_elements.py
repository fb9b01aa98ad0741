"""What a person does with a node and the panel together, on a canvas and where nodes are elements of the page.

A node of the older frontend takes files alone, and no picture of a page.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.test_running import running
from tests.host.test_ways_in import ASK, SELECT

pytestmark = [pytest.mark.nodes_2, pytest.mark.newer_frontend]

PICTURE_OF = """(id) => String(app.graph.nodes.find((node) => String(node.id) === id)
    .widgets.find(({ name }) => name === "image").value)"""

# Upper left of what is to be seen above the panel, and where the title of the node is.
SHOW = """(id) => {
    const node = app.graph.nodes.find((node) => String(node.id) === id);
    const { ds, canvas } = app.canvas;
    ds.scale = 0.6;
    ds.offset = [500 - node.pos[0], 150 - node.pos[1]];
    app.canvas.setDirty(true, true);
    const box = canvas.getBoundingClientRect();
    const at = (x, y) => [
        box.left + (node.pos[0] + x + ds.offset[0]) * ds.scale,
        box.top + (node.pos[1] + y + ds.offset[1]) * ds.scale,
    ];
    return { title: at(60, -12), middle: at(node.size[0] / 2, 40) };
}"""


def test_a_picture_of_the_panel_is_dragged_onto_a_node(comfy, panel, model):
    made = comfy.add_node("EmptyImage", width=24, height=24)
    save = comfy.add_node("SaveImage", filename_prefix="dragged")
    comfy.connect(made, "IMAGE", save, "images")
    load = comfy.add_node("LoadImage")
    model.play(running())
    panel.ask("run it")
    picture = panel.tool_card("executeWorkflow").locator("img").first
    expect(picture).to_have_js_property("naturalWidth", 24)
    places = comfy.page.evaluate(SHOW, load)

    picture.hover()
    comfy.page.mouse.down()
    x, y = places["middle"]
    comfy.page.mouse.move(x - 20, y, steps=5)
    comfy.page.mouse.move(x, y, steps=5)
    comfy.page.mouse.up()

    comfy.page.wait_for_function(f"(id) => ({PICTURE_OF})(id).includes('dragged')", arg=load, timeout=5000)


def test_the_assistant_is_seen_in_the_menu_of_a_node(comfy, panel):
    panel.close()
    node = comfy.add_node("EmptyImage")
    comfy.page.evaluate(SELECT, node)
    x, y = comfy.page.evaluate(SHOW, node)["title"]
    comfy.page.wait_for_timeout(300)

    comfy.page.mouse.click(x, y, button="right")

    entry = comfy.page.get_by_text(ASK, exact=True).first
    expect(entry).to_be_in_viewport(ratio=1)
    entry.click()
    expect(panel.composer).to_have_value(f"About node {node} {comfy.title(node)}: ")

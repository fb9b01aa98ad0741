"""One chat on both of ComfyUI's renderers: the canvas, and nodes as elements of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.host.canvas import close_toasts, set_nodes_of_2
from tests.host.comfy import ComfyPage
from tests.host.test_turn_goes_on import another_tab

pytestmark = pytest.mark.newer_frontend

ELEMENTS = "[data-node-id]"
UNDO = "Undo this turn"


def adds(*types: str, slowly: bool = False) -> dict[str, object]:
    """Calls for one node after the other, each in a step of its own."""
    words = [f"w{n} " for n in range(30)] if slowly else "Wait."
    steps = [{"reply": [{"say": words}, {"call": "addNode", "arguments": {"type": each}}]} for each in types]
    return {
        "about": "Adds nodes, one in each step.",
        "steps": [*steps, {"reply": [{"say": "There they are."}]}],
        **({"pace": 0.1} if slowly else {}),
    }


@pytest.fixture(autouse=True)
def on_the_canvas(comfy: ComfyPage) -> Iterator[None]:
    yield
    set_nodes_of_2(comfy, shown=False)


@pytest.mark.slow
def test_a_chat_goes_on_where_the_renderer_is_switched_between_two_turns(comfy, panel, model):
    model.play("red-image")
    panel.ask("make a red 64x64 image and save it")
    first = comfy.prompt()
    (image,) = (node for node, each in first.items() if each["class_type"] == "EmptyImage")

    set_nodes_of_2(comfy, shown=True)
    expect(comfy.page.locator(ELEMENTS)).to_have_count(2)
    close_toasts(comfy)
    operations = [
        {"op": "set", "nodes": [image], "widgets": {"width": 128}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": f"{image}.IMAGE"}},
    ]
    edit = {"call": "editWorkflow", "arguments": {"operations": operations}}
    model.play(
        {
            "about": "Makes it wider, and shows it beside.",
            "steps": [{"reply": [edit]}, {"reply": [{"say": "Wider now."}]}],
        }
    )
    panel.ask("make it wider")
    assert comfy.prompt()[image]["inputs"]["width"] == 128
    expect(comfy.page.locator(ELEMENTS)).to_have_count(3)
    panel.look_at("renderers-second-turn")

    panel.answers.last.get_by_role("button", name=UNDO).click()
    expect(comfy.page.locator(ELEMENTS)).to_have_count(2)
    assert comfy.prompt() == first
    panel.answers.first.hover()
    panel.look_at("renderers-earlier-answer")
    panel.answers.first.hover()
    panel.answers.first.get_by_role("button", name=UNDO).click(timeout=5_000)
    expect(comfy.page.locator(ELEMENTS)).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("shown", [True, False], ids=["to-nodes-2.0", "to-the-canvas"])
def test_a_turn_goes_on_where_the_renderer_is_switched_in_its_midst(comfy, panel, model, shown):
    set_nodes_of_2(comfy, shown=not shown)
    close_toasts(comfy)
    kept = comfy.add_node("ImageInvert")
    model.play(adds("EmptyImage", "SaveImage", "ImageBlur", slowly=True))
    panel.send("add three nodes")
    comfy.page.wait_for_function("() => app.graph.nodes.length === 2")

    set_nodes_of_2(comfy, shown=shown)
    assert len(comfy.node_types()) < 4
    panel.wait_until_the_turn_is_over()
    assert panel.tools_by_state() == [("addNode", "succeeded")] * 3
    assert comfy.node_types() == ["EmptyImage", "ImageBlur", "ImageInvert", "SaveImage"]
    expect(comfy.page.locator(ELEMENTS)).to_have_count(4 if shown else 0)
    close_toasts(comfy)
    panel.page.get_by_role("button", name=UNDO).click()
    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")
    assert comfy.page.evaluate("() => app.graph.nodes.map(({ id }) => String(id))") == [kept]
    assert comfy.errors == []


@pytest.mark.slow
def test_two_pages_with_other_renderers_show_one_chat_and_change_their_own_workflows(comfy, panel, model):
    model.play(adds("EmptyImage"))
    panel.ask("add an image")
    with another_tab(comfy) as (other, beside):
        set_nodes_of_2(other, shown=True)
        close_toasts(other)
        expect(beside.answers.last).to_contain_text("There they are.")
        model.play(adds("ImageInvert", "SaveImage"))
        beside.ask("now two others")
        expect(other.page.locator(ELEMENTS)).to_have_count(2)
        assert other.node_types() == ["ImageInvert", "SaveImage"]
        assert comfy.node_types() == ["EmptyImage"]
        expect(panel.messages.filter(has_text="now two others")).to_have_count(1)
        expect(panel.answers).to_have_count(2)

        model.play(adds("ImageBlur"))
        panel.ask("and one more here")
        assert comfy.node_types() == ["EmptyImage", "ImageBlur"]
        assert other.node_types() == ["ImageInvert", "SaveImage"]
        expect(beside.answers).to_have_count(3)
        set_nodes_of_2(other, shown=False)

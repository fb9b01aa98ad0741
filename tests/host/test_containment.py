"""The panel and ComfyUI share a page: what happens in the one must not leak into the other, or out of the machine."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.scenarios import scenario


def test_one_undo_takes_back_all_edits_of_a_turn(comfy, panel, model):
    kept = comfy.add_node("ImageBlur")
    comfy.page.evaluate("() => app.extensionManager.workflow.activeWorkflow.changeTracker.checkState()")
    model.play(scenario("parallel-calls"))
    panel.ask("add three nodes")
    assert len(comfy.node_types()) == 4

    comfy.page.evaluate("() => app.extensionManager.command.execute('Comfy.Undo')")

    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")
    assert list(comfy.prompt()) == [kept]


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_keys_pressed_in_the_panel_do_nothing_to_the_graph(comfy, panel, model):
    prompts = []
    comfy.page.on(
        "request", lambda request: prompts.append(request.url) if "/prompt" in request.url else None
    )
    node = comfy.add_node("EmptyImage")
    comfy.add_node("PreviewImage")
    comfy.page.evaluate(
        "(id) => app.canvas.selectNode(app.graph.nodes.find((node) => String(node.id) === id))", node
    )
    model.play(scenario("mixed-step"))
    panel.ask("find a node and add one")
    before = comfy.node_types()

    panel.tool_card("addNode").get_by_role("button").first.focus()
    for key in ("Delete", "Backspace", "Control+m", "Control+b"):
        comfy.page.keyboard.press(key)
    model.play(scenario("short-answer"))
    panel.composer.fill("run")
    panel.composer.press("Control+Enter")
    panel.wait_until_the_turn_is_over()

    assert comfy.node_types() == before
    assert comfy.page.evaluate("() => app.graph.nodes.every((node) => node.mode === 0)")
    assert prompts == []


def test_a_click_beside_everything_in_the_panel_takes_the_keys_from_the_graph(comfy, panel):
    node = comfy.add_node("EmptyImage")
    comfy.page.evaluate(
        "(id) => app.canvas.selectNode(app.graph.nodes.find((node) => String(node.id) === id))", node
    )
    rail = panel.root.locator(".cass-rail-space").bounding_box()
    assert rail["height"] > 10
    comfy.page.mouse.click(rail["x"] + rail["width"] / 2, rail["y"] + rail["height"] / 2)

    for key in ("Delete", "Backspace", "Control+m"):
        comfy.page.keyboard.press(key)

    assert comfy.node_types() == ["EmptyImage"]
    assert comfy.page.evaluate("() => app.graph.nodes[0].mode") == 0


@pytest.mark.any_frontend
def test_text_of_an_answer_can_be_copied(comfy, panel, model):
    comfy.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    comfy.page.evaluate("(id) => app.canvas.selectNode(app.graph.nodes[0])", comfy.add_node("EmptyImage"))
    model.play(scenario("short-answer"))
    panel.ask("say something")

    panel.answers.last.locator(".cass-markdown p").first.click(click_count=3)
    comfy.page.keyboard.press("Control+c")

    assert comfy.page.evaluate("() => navigator.clipboard.readText()").strip() == "The quick brown fox."


@pytest.mark.any_frontend
def test_an_answer_cannot_make_the_page_fetch_from_elsewhere(comfy, panel, model):
    fetched = []
    comfy.page.on("request", lambda request: fetched.append(request.url) if "evil" in request.url else None)
    said = []
    comfy.page.on("console", lambda message: said.append(message.text) if "evil" in message.text else None)
    model.play(scenario("hostile-markdown"))

    panel.ask("look")

    expect(panel.answers.last).to_contain_text("done.")
    expect(panel.answers.last.locator("img, style, iframe, object")).to_have_count(0)
    links = panel.answers.last.locator("a").evaluate_all(
        "(links) => links.map((link) => link.getAttribute('href'))"
    )
    assert not [link for link in links if link and not link.startswith("http")]
    assert fetched == []
    assert said == []

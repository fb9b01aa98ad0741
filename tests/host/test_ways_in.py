"""The ways to the assistant from ComfyUI's page: the node's menu, the toolbox over what is selected, and Alt+A."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from dev.comfyui import FRONTEND
from tests.host.interception import Held, held
from tests.host.panel import Panel
from tests.host.test_repair import OFFER, close_comfyuis_dialog, failing, press_run

__all__ = ["failing"]

ASK = "Ask the assistant"
MENU = """(id) => {
    const node = app.graph.nodes.find((node) => String(node.id) === id);
    return app.canvas.getNodeMenuOptions(node).filter(Boolean).map((item) => item.content);
}"""
SELECT = """(id) => {
    const node = app.graph.nodes.find((node) => String(node.id) === id);
    app.canvas.ds.reset();
    app.canvas.ds.offset = [400 - node.pos[0], 300 - node.pos[1]];
    app.canvas.selectItems([node]);
}"""


def test_the_assistant_stands_at_the_top_of_a_nodes_menu(comfy, panel, failing):
    press_run(comfy)
    expect(comfy.page.locator(".cass-failure")).to_have_count(1)
    close_comfyuis_dialog(comfy)
    [other] = [node for node in comfy.prompt() if node != failing][:1]

    menus = [comfy.page.evaluate(MENU, node) for node in (failing, other)]

    assert menus[0][:2] == [ASK, OFFER]
    assert (menus[1][0], OFFER in menus[1], menus[0].count(ASK)) == (ASK, False, 1)


@pytest.mark.nodes_2
def test_what_is_selected_is_read_and_can_be_asked_about_where_it_is_seen(comfy, bridge, panel, frontend):
    node = comfy.add_node("EmptyImage")
    panel.close()
    comfy.page.evaluate(SELECT, node)

    assert bridge.call("getWorkflowInfo", {"view": "selection"})["data"]["text"].startswith(node)
    icon = comfy.page.locator(".pi-comments")
    button = comfy.page.locator(".selection-toolbox").get_by_role("button").filter(has=icon)
    if frontend != FRONTEND:  # which gives the buttons of extensions a name on hover only
        expect(button).to_have_accessible_name(ASK)
    button.click()

    expect(Panel(comfy.page).composer).to_have_value(f"About node {node} {comfy.title(node)}: ")


@pytest.mark.nodes_2
def test_alt_a_leaves_the_focus_mode_that_would_hide_the_panel(comfy, panel):
    panel.close()
    comfy.page.evaluate("() => app.extensionManager.toggleFocusMode()")
    comfy.page.locator("#graph-canvas").focus()

    comfy.page.keyboard.press("Alt+a")

    expect(panel.composer).to_be_focused()
    assert comfy.page.evaluate("() => app.extensionManager.focusMode") is False


@pytest.mark.main_flow
@pytest.mark.parametrize("panel_was", ["closed", "open"])
def test_alt_a_leaves_the_app_mode_that_would_hide_the_panel(comfy, panel, panel_was):
    if comfy.page.evaluate("() => !('activeMode' in app.extensionManager.workflow.activeWorkflow)"):
        pytest.skip("this page has no App Mode")
    if panel_was == "closed":
        panel.close()
    comfy.page.evaluate("() => app.extensionManager.command.execute('Comfy.ToggleLinear')")
    expect(panel.composer).to_be_hidden()

    comfy.page.keyboard.press("Alt+a")

    expect(panel.composer).to_be_focused()


@pytest.mark.slow
def test_a_panel_that_cannot_be_loaded_says_so_and_comes_when_it_is_tried_again(comfy):
    with held(comfy.page, "*/chunks/panel-*.mjs", Held.fail, is_cached=True):
        comfy.reload()
        comfy.page.evaluate("() => app.extensionManager.command.execute('ComfyUIAssistant.Open')")
        expect(comfy.page.get_by_text("The assistant's panel could not be loaded")).to_be_visible()
        expect(comfy.page.get_by_role("button", name="Reload the page")).to_be_visible()
    comfy.page.get_by_role("button", name="Try again").click()
    expect(Panel(comfy.page).composer).to_be_focused()


def test_a_file_that_is_dropped_beside_what_takes_it_is_not_opened_by_the_browser(comfy, panel):
    drop = """(root, type) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["text"], "notes.txt"));
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        return [root.dispatchEvent(event), event.defaultPrevented];
    }"""
    beside = panel.root.locator(".cass-rail").first
    assert [beside.evaluate(drop, event) for event in ("dragover", "drop")] == [[False, True], [False, True]]

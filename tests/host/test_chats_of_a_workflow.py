"""A chat knows the workflow file that it is about: the list is narrowed by it, and opening the file offers the chat."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.saved_workflows import open_saved
from tests.host.scenarios import scenario

SAVE_FILES = """async (names) => {
    for (const name of names)
        await app.api.storeUserData(`workflows/${name}.json`, app.graph.serialize(), { stringify: true });
    await app.extensionManager.workflow.syncWorkflows();
}"""
OPEN_FILE = """async (name) => {
    const workflow = app.extensionManager.workflow.getWorkflowByPath(`workflows/${name}.json`);
    if (!workflow.isLoaded) await workflow.load();
    await app.loadGraphData(workflow.activeState ?? workflow.initialState, true, true, workflow);
}"""


RENAME = """async (name) => {
    const store = app.extensionManager.workflow;
    await store.renameWorkflow(store.activeWorkflow, `workflows/${name}.json`);
}"""


@pytest.mark.slow
def test_opening_a_workflow_offers_its_chat_and_the_list_is_narrowed_to_it(comfy, panel: Panel, model):
    model.play(scenario("short-answer"))
    comfy.add_node("EmptyImage")
    comfy.page.evaluate(SAVE_FILES, ["portrait", "landscape"])
    panel.ask("about nothing that was saved")
    panel.begin_new_chat()
    comfy.page.evaluate(OPEN_FILE, "portrait")
    panel.ask("warm up the light")
    panel.begin_new_chat()
    offer = panel.root.get_by_text("There is a chat about “portrait”: “warm up the light”")
    expect(offer).to_be_visible()
    panel.look_at("offered-chat")

    panel.open_chats()
    about = panel.root.get_by_role("button", name="About “portrait” 1")
    before = panel.root.locator(".cass-chat-entry").count()
    about.click()
    expect(panel.root.locator(".cass-chat-entry")).to_have_count(1)
    panel.look_at("chats-of-a-file")
    about.click()
    expect(panel.root.locator(".cass-chat-entry")).to_have_count(before)
    panel.close_view()

    comfy.page.evaluate(OPEN_FILE, "landscape")
    expect(offer).to_be_hidden()
    comfy.reload()
    again = Panel(comfy.page)
    again.open()
    again.begin_new_chat()
    comfy.page.evaluate(OPEN_FILE, "portrait")
    again.root.get_by_role("button", name="Open it").click()
    expect(again.messages.first).to_contain_text("warm up the light")
    expect(offer).to_be_hidden()
    assert comfy.errors == []


@pytest.mark.slow
def test_a_workflow_that_is_renamed_keeps_its_chat(comfyui: ComfyUIProcess, comfy, panel: Panel, model):
    model.play(scenario("short-answer"))
    open_saved(comfy.page, "before")
    comfy.page.wait_for_timeout(1_500)
    panel.ask("warm up the light")
    panel.begin_new_chat()
    expect(panel.root.get_by_text("There is a chat about “before”")).to_be_visible()
    comfy.page.evaluate(RENAME, "after")
    expect(panel.root.get_by_text("There is a chat about “after”: “warm up the light”")).to_be_visible()
    comfy.reload()
    again = Panel(comfy.page)
    again.open()
    again.open_chats()
    expect(again.root.get_by_role("button", name="About “after” 1")).to_be_visible()
    assert comfy.errors == []
    saved = comfyui.base / "user" / "default" / "workflows"
    for name in ("before", "after"):
        (saved / f"{name}.json").unlink(missing_ok=True)

"""What a cleared chat leaves is seen on the page of the memory, and another chat finds it only once it may."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import Route, expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.scenarios import scenario


@pytest.fixture(autouse=True)
def _forgotten(comfyui: ComfyUIProcess):
    folder = comfyui.base / "user" / "__comfyui_assistant" / "memory"
    shutil.rmtree(folder, ignore_errors=True)
    yield
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.any_frontend
def test_what_was_cleared_is_found_again_edited_and_forgotten(comfy, panel: Panel, model):
    model.play(scenario("short-answer"))
    panel.ask("paint a walrus on ice")
    panel.send("/context clear")
    panel.begin_new_chat()
    panel.ask("something else")
    panel.send("/memory")
    page = panel.root.locator(".cass-memory")
    leave = page.get_by_role("checkbox")
    expect(leave).not_to_be_checked()
    leave.click()
    expect(leave).to_be_checked()

    page.get_by_role("searchbox").fill("walrus")
    expect(page.get_by_text("- Asked: paint a walrus on ice")).to_be_visible()
    panel.look_at("memory-found")
    page.get_by_role("listitem").get_by_role("button").click()
    page.get_by_role("button", name="Edit").click()
    box = page.get_by_role("textbox", name="Memory of")
    box.fill(box.input_value().replace("ice", "snow"))
    page.get_by_role("button", name="Save").click()
    expect(page.locator("pre")).to_contain_text("- Asked: paint a walrus on snow")
    panel.look_at("memory-day")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No day has these words.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("listitem")).to_contain_text("walrus on snow")
    panel.close_view()

    panel.ask("and now?")
    newest = model.requests[-1].messages[-1]["content"]
    assert "The user lets searchHistory search their other chats and memory, too;" in newest
    assert comfy.errors == []


@pytest.mark.any_frontend
def test_the_model_asks_before_it_looks_into_other_chats(comfy, panel: Panel, model):
    model.play(scenario("other-chats"))
    panel.ask("paint a walrus on ice")
    panel.begin_new_chat()
    panel.send("where is the walrus?")
    question = panel.page.get_by_role("alertdialog")
    expect(question).to_contain_text("Let this chat look into your other chats?")
    panel.look_at("other-chats-question")
    question.get_by_role("button", name="Let it look").click()
    panel.wait_until_the_turn_is_over()
    assert panel.answer().endswith("On ice.")
    assert "paint a walrus on ice" in str(model.requests[-1].messages[-1])
    panel.send("/memory")
    expect(panel.root.locator(".cass-memory").get_by_role("checkbox")).to_be_checked()
    assert comfy.errors == []


ANOTHER_RUN = {
    "id": "other",
    "at": 0,
    "texts": [],
    "seeds": [],
    "models": [],
    "files": [],
    "hasWorkflow": False,
}


@pytest.mark.slow
def test_what_a_run_made_is_shown_with_its_picture_and_opens_its_workflow(comfy, panel: Panel, model):
    model.play("red-image")
    panel.ask("a red image")
    panel.send("/memory")
    page = panel.root.locator(".cass-memory")
    page.get_by_role("searchbox").fill("today")
    made = page.get_by_role("region", name="Made").get_by_role("listitem").first
    picture = made.get_by_role("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    panel.look_at("memory-made")
    tabs = comfy.page.evaluate("() => window.app.extensionManager.workflow.openWorkflows.length")
    made.get_by_role("button", name="Open its workflow").click()
    comfy.page.wait_for_function(
        "tabs => window.app.extensionManager.workflow.openWorkflows.length > tabs", arg=tabs
    )
    comfy.wait_until(lambda: "EmptyImage" in comfy.node_types())
    late: list[Route] = []
    comfy.page.route("**/assistant/runs?*query=today", lambda route: late.append(route))
    made.get_by_role("button", name="Delete").click()
    made.get_by_role("button", name="Delete").click()
    comfy.wait_until(lambda: len(late) == 1)
    page.get_by_role("searchbox").fill("yesterday")
    expect(page.get_by_role("region", name="Made")).to_have_count(0)
    with comfy.page.expect_response("**/assistant/runs?*query=today"):
        late[0].fulfill(json={"runs": [ANOTHER_RUN]})
    comfy.page.wait_for_timeout(100)
    expect(page.get_by_role("region", name="Made")).to_have_count(0)
    comfy.page.unroute("**/assistant/runs?*query=today")
    assert comfy.errors == []

"""Runs of the person's own that fail: offered for repair above the composer and in the node's menu."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.canvas import boxes, contains, view_far_away, visible_area
from tests.host.panel import Panel
from tests.host.test_running import running

REPAIRED = {"about": "Knows what to do.", "steps": [{"reply": [{"say": "I see the cause."}]}]}
OFFER = "Fix with Assistant"


@pytest.fixture
def failing(comfy) -> str:
    """A node that fails on an image, and another image that has nothing to do with it."""
    image = comfy.add_node("EmptyImage", width=64, height=64)
    failing = comfy.add_node("TestFailing", strength=3)
    save = comfy.add_node("SaveImage")
    comfy.add_node("EmptyLatentImage")
    comfy.connect(image, "IMAGE", failing, "image")
    comfy.connect(failing, "IMAGE", save, "images")
    return failing


def press_run(comfy) -> None:
    comfy.page.evaluate("() => app.queuePrompt(0, 1)")


def close_comfyuis_dialog(comfy) -> None:
    """The older frontend lays a dialog over the page, the newer one a message beside it."""
    dialog = comfy.page.locator(".p-dialog")
    if dialog.count():
        dialog.locator(".p-dialog-close-button").click()
        expect(dialog).to_have_count(0)


def offers_in_menu(comfy, node: str) -> list[str]:
    return comfy.page.evaluate(
        """(id) => app.canvas.getNodeMenuOptions(app.graph.nodes.find((node) => String(node.id) === id))
            .filter(Boolean).map((item) => item.content)""",
        node,
    )


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_failed_run_can_be_handed_to_the_assistant(comfy, panel, model, failing):
    model.play(REPAIRED)
    press_run(comfy)
    offer = comfy.page.locator(".cass-failure")
    expect(offer).to_contain_text(
        f"TestFailing (node {failing}) failed: ValueError: a strength of 3.0 is too much"
    )
    close_comfyuis_dialog(comfy)

    offer.get_by_role("button", name=OFFER).click()

    expect(panel.answers.last).to_contain_text("I see the cause.")
    panel.wait_until_the_turn_is_over()
    assert panel.answer() == "I see the cause."
    expect(offer).to_have_count(0)
    [message] = [message for message in model.requests[0].messages if message["role"] == "user"]
    assert "raised ValueError" in message["content"]
    assert f"{failing} TestFailing" in message["content"]
    assert "EmptyImage" in message["content"]
    assert "EmptyLatentImage" not in message["content"]
    attached = panel.messages.first.locator("details")
    expect(attached.locator("pre")).to_be_hidden()
    attached.locator("summary").click()
    expect(attached.locator("pre")).to_contain_text("What feeds it")


def test_the_model_can_answer_why_a_run_of_the_persons_own_failed(comfy, panel, model, failing):
    reading = {"call": "getWorkflowInfo", "arguments": {}}
    model.play({"about": "Looks first.", "steps": [{"reply": [reading]}, *REPAIRED["steps"]]})
    press_run(comfy)
    expect(comfy.page.locator(".cass-failure")).to_contain_text(f"TestFailing (node {failing})")
    close_comfyuis_dialog(comfy)

    assert panel.ask("Why did the last run fail?") == "I see the cause."

    asked, read = (request.messages[-1]["content"] for request in model.requests)
    assert "Its last run failed: getWorkflowInfo tells why." in asked
    assert "ValueError: a strength of 3.0 is too much" in read


def test_what_failed_is_brought_into_view_with_the_question(comfy, panel, model, failing):
    model.play(REPAIRED)
    press_run(comfy)
    offer = comfy.page.locator(".cass-failure")
    expect(offer).to_contain_text(f"TestFailing (node {failing})")
    close_comfyuis_dialog(comfy)
    view_far_away(comfy)

    offer.get_by_role("button", name=OFFER).click()

    panel.wait_until_the_turn_is_over()
    assert contains(visible_area(comfy), boxes(comfy)[failing])
    expect(panel.messages.first).to_contain_text(f"TestFailing (node {failing})")


def test_a_refused_workflow_is_offered_until_it_runs(comfy, panel):
    save = comfy.add_node("SaveImage", filename_prefix="repaired")
    press_run(comfy)
    offer = comfy.page.locator(".cass-failure")
    expect(offer).to_contain_text(f"SaveImage (node {save}, images): Required input is missing")
    close_comfyuis_dialog(comfy)

    image = comfy.add_node("EmptyImage", width=64, height=64)
    comfy.connect(image, "IMAGE", save, "images")
    comfy.run()

    expect(offer).to_have_count(0)


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_the_menu_of_the_failed_node_alone_has_the_offer(comfy, panel, model, failing):
    model.play(REPAIRED)
    [other] = [node for node in comfy.prompt() if node != failing][:1]
    press_run(comfy)
    expect(comfy.page.locator(".cass-failure")).to_have_count(1)
    close_comfyuis_dialog(comfy)
    panel.close()
    assert OFFER in offers_in_menu(comfy, failing)
    assert OFFER not in offers_in_menu(comfy, other)

    comfy.page.evaluate(
        """([id, offer]) => app.canvas.getNodeMenuOptions(app.graph.nodes.find((node) => String(node.id) === id))
            .find((item) => item?.content === offer).callback()""",
        [failing, OFFER],
    )

    panel = Panel(comfy.page)
    expect(panel.answers.last).to_contain_text("I see the cause.")
    assert f"{failing} TestFailing" in model.requests[0].messages[-1]["content"]


def test_a_run_of_the_assistant_that_fails_is_not_offered(comfy, panel, model, failing):
    model.play(running())

    panel.ask("run it")

    close_comfyuis_dialog(comfy)
    assert panel.tools_by_state() == [("executeWorkflow", "failed")]
    comfy.page.wait_for_timeout(500)
    expect(comfy.page.locator(".cass-failure")).to_have_count(0)


def test_a_failure_is_offered_in_its_own_workflow_only(comfy, panel, model, failing):
    model.play(running())
    press_run(comfy)
    offer = comfy.page.locator(".cass-failure")
    expect(offer).to_contain_text(f"TestFailing (node {failing})")
    close_comfyuis_dialog(comfy)
    first = comfy.page.evaluate("() => app.extensionManager.workflow.activeWorkflow.path")
    comfy.page.evaluate(
        "async () => { await app.extensionManager.command.execute('Comfy.NewBlankWorkflow'); app.graph.clear(); }"
    )
    image = comfy.add_node("EmptyImage", width=64, height=64)
    comfy.connect(image, "IMAGE", comfy.add_node("SaveImage"), "images")
    expect(offer).to_have_count(0)
    assert OFFER not in offers_in_menu(comfy, image)

    panel.ask("run it")

    assert panel.tools_by_state()[-1] == ("executeWorkflow", "succeeded")
    expect(offer).to_have_count(0)
    comfy.page.evaluate(
        """async (path) => {
            const { openWorkflows, activeWorkflow } = app.extensionManager.workflow;
            const first = openWorkflows.find((each) => each.path === path);
            await app.loadGraphData(JSON.parse(JSON.stringify(first.activeState)), true, true, first);
        }""",
        first,
    )
    expect(offer).to_contain_text(f"TestFailing (node {failing})")

"""Edits go to the workflow that the model has read, and it is told which one is open."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.host.bridge import Bridge
from tests.host.scenarios import scenario
from tests.host.test_running import running


@pytest.fixture
def tabs(page: Page):
    """Opens further tabs; the next test begins with a fresh page."""
    yield lambda: _execute(page, "Comfy.NewBlankWorkflow")
    page.goto("about:blank")


def _execute(page: Page, command: str) -> None:
    page.evaluate("(command) => app.extensionManager.command.execute(command)", command)


def test_what_was_planned_on_one_tab_does_not_change_another(comfy, bridge: Bridge, tabs):
    add = {"op": "add", "type": "EmptyImage"}
    first = bridge.edit(add)["data"]["workflow"]
    key = bridge.workflow_key()
    tabs()
    assert bridge.workflow_key() != key

    refused = bridge.edit(add)
    alone = bridge.call("removeNode", {"node": "1"})

    assert refused["code"] == alone["code"] == "other-workflow"
    assert f'you last read "{first}"' in refused["error"]
    assert comfy.node_types() == []
    assert bridge.call("getWorkflowInfo", {})["ok"]
    second = bridge.edit(add)["data"]["workflow"]
    assert second != first


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_another_tab_is_listed_and_gone_to(comfy, bridge: Bridge, tabs):
    first = bridge.edit({"op": "add", "type": "EmptyImage"})["data"]["workflow"]
    tabs()

    opened = bridge.call("getWorkflowInfo", {})["data"]
    assert f"{first} (1 nodes)" in opened["otherTabs"]
    gone_to = bridge.call("getWorkflowInfo", {"tab": first})["data"]

    assert gone_to["workflow"] == first
    assert comfy.node_types() == ["EmptyImage"]
    assert bridge.edit({"op": "remove", "nodes": ["1"]})["ok"]
    assert not bridge.call("getWorkflowInfo", {"tab": "none of this name"})["ok"]


@pytest.mark.main_flow
def test_the_results_of_a_run_come_to_its_chat_while_another_tab_is_open(comfy, panel, model, tabs):
    """A page of 1.59 tells the graph nothing of a run of another tab."""
    image = comfy.add_node("TestSeededImage", seed=5)
    save = comfy.add_node("SaveImage", filename_prefix="elsewhere")
    comfy.connect(image, "IMAGE", save, "images")
    comfy.add_node("TestSlowRun", seconds=4)
    model.play(running())
    panel.send("run it")
    comfy.wait_until_running(1)
    tabs()
    comfy.add_node("SaveImage")

    panel.wait_until_the_turn_is_over()

    assert panel.tools_by_state() == [("executeWorkflow", "succeeded")]
    expect(panel.tool_card("executeWorkflow").locator("img")).to_have_js_property("naturalWidth", 32)
    assert f"node {save} gave output/elsewhere" in str(model.requests[-1].messages[-1])
    assert comfy.page.evaluate("() => app.graph.nodes[0].imgs ?? null") is None
    assert comfy.errors == []


def test_a_file_reads_as_its_workflow_does_once_it_is_loaded(comfy, bridge: Bridge, comfyui):
    given = """1 EmptyImage width=64
4 S1 image<1 scale_by=2
3 SaveImage images<4
subgraph S1 "Larger" in(image scale_by) out(IMAGE<2)
2 ImageScaleBy image<input scale_by<input
end"""
    assert bridge.call("applyWorkflow", {"workflow": given})["ok"]
    path = comfyui.base / "input" / "unloaded.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(bridge.saved(), "utf-8")
    open_now = bridge.call("getWorkflowInfo", {})["data"]
    comfy.clear_graph()

    read = bridge.call("getWorkflowInfo", {"file": "input/unloaded.json"})

    assert read["data"]["text"] == open_now["text"]
    assert read["data"]["nodes"] == open_now["nodes"]
    assert comfy.node_types() == []
    loaded = bridge.call("applyWorkflow", {"file": "input/unloaded.json"})["data"]
    assert loaded["text"] == open_now["text"]
    assert "changes" not in loaded
    path.unlink()


@pytest.mark.main_flow
@pytest.mark.usefixtures("tabs")
def test_what_a_file_holds_opens_beside_work_that_is_not_saved(comfy, bridge: Bridge, comfyui):
    assert bridge.call("applyWorkflow", {"workflow": "1 EmptyImage\n2 PreviewImage images<1"})["ok"]
    path = comfyui.base / "input" / "dropped.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(bridge.saved(), "utf-8")
    unsaved = bridge.edit({"op": "remove", "nodes": ["2"]})["data"]["workflow"]

    opened = bridge.call("applyWorkflow", {"file": "input/dropped.json"})

    assert opened["ok"], opened
    assert opened["data"]["workflow"].startswith("dropped")
    assert comfy.node_types() == ["EmptyImage", "PreviewImage"]
    assert bridge.call("getWorkflowInfo", {"tab": unsaved})["ok"]
    assert comfy.node_types() == ["EmptyImage"]
    path.unlink()


@pytest.mark.slow
def test_a_chat_is_told_what_is_open_and_reads_it_before_it_edits(comfy, panel, model, tabs):
    comfy.add_node("EmptyImage")
    model.play(scenario("another-tab"))
    panel.ask("add a preview")
    tabs()
    panel.ask("now here")

    first, second = (_newest_user_message(request) for request in (model.requests[0], model.requests[-1]))
    assert ", 1 node." in first
    assert "Open workflow: " in second
    assert "; you last read " in second
    assert panel.tools_by_state()[-3:] == [
        ("addNode", "skipped"),
        ("getWorkflowInfo", "succeeded"),
        ("addNode", "succeeded"),
    ]
    assert comfy.node_types() == ["SaveImage"]
    assert model.requests[-1].messages[: len(model.requests[0].messages)] == model.requests[0].messages
    assert comfy.errors == []


def test_a_yes_once_another_workflow_is_open_runs_nothing(comfy, panel, model, tabs):
    panel.switch_approvals()
    model.play("red-image")
    panel.send("make a red 64x64 image and save it")
    question = panel.root.get_by_role("alertdialog")
    expect(question).to_contain_text("Run the workflow?")
    tabs()
    question.get_by_role("button", name="Allow").click()
    panel.wait_until_the_turn_is_over()

    assert panel.tools_by_state()[-1] == ("executeWorkflow", "skipped")
    assert "while they were asked about" in str(model.requests[-1].messages[-1]["content"])
    assert comfy.node_types() == []
    panel.switch_approvals()


def _newest_user_message(request) -> str:
    return next(message["content"] for message in reversed(request.messages) if message["role"] == "user")

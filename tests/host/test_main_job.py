"""The main job end to end: what is typed in the panel becomes nodes, links and a run in the live graph."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.main_job import make_a_red_image
from tests.host.scenarios import scenario


@pytest.mark.nodes_2
@pytest.mark.main_flow
def test_a_red_image_is_built_run_saved_and_shown(comfy, comfyui, panel, model):
    make_a_red_image(comfy, comfyui, panel, model)


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_parallel_calls_of_one_step_all_run_and_their_results_go_back_together(comfy, panel, model):
    model.play(scenario("parallel-calls"))

    answer = panel.ask("add three nodes")

    assert answer == "Added EmptyImage, ImageInvert and SaveImage."
    assert comfy.node_types() == ["EmptyImage", "ImageInvert", "SaveImage"]
    assert [message["role"] for message in model.requests[1].messages[-4:]] == [
        "assistant",
        "tool",
        "tool",
        "tool",
    ]
    assert len(model.requests) == 2


def test_a_server_tool_and_a_browser_tool_share_one_step(comfy, panel, model):
    model.play(scenario("mixed-step"))

    answer = panel.ask("find a node and add one")

    [node_id] = comfy.page.evaluate("() => app.graph.nodes.map((node) => String(node.id))")
    assert answer.endswith(f"Found it, and added node {node_id}.")
    assert panel.tools_by_state() == [("searchInstalledNodes", "succeeded"), ("addNode", "succeeded")]
    assert "ImageInvert" in model.requests[1].messages[-2]["content"]
    assert len(model.requests) == 2


def test_the_model_reads_a_tool_error_and_repairs_its_call(comfy, panel, model):
    model.play(scenario("repaired-call"))

    answer = panel.ask("add an empty image")

    assert answer == "Now it is there."
    assert panel.tools_by_state() == [("addNode", "failed"), ("addNode", "succeeded")]
    assert comfy.node_types() == ["EmptyImage"]
    assert len(model.requests) == 3


@pytest.mark.slow
def test_a_call_that_the_server_does_not_let_run_is_run_by_nobody_and_shown_as_skipped(comfy, panel, model):
    model.play(scenario("too-many-calls"))

    panel.ask("add nine nodes")

    assert comfy.node_types() == ["EmptyImage"] * 8
    states = [("addNode", "succeeded")] * 8 + [("addNode", "skipped")]
    assert panel.tools_by_state() == states
    assert "not run: too many calls in one step" in panel.tool_cards()[-1].text
    comfy.reload()
    panel.open()
    expect(panel.page.locator(".cass-tool")).to_have_count(9)
    assert panel.tools_by_state() == states
    assert comfy.errors == []

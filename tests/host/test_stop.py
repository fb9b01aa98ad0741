"""Stop, at each point of a turn: the model is let go, and nothing changes the graph afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.host.scenarios import scenario

LONG_ENOUGH_FOR_ANOTHER_STEP = 1_500


@pytest.fixture
def slow_environment(comfyui):
    """From the call on, describing the installed nodes takes long, as with a package that reads a network drive."""
    nodes: Path = comfyui.base / "custom_nodes"
    flag = nodes / "slow-to-describe"
    changed_input = comfyui.base / "input" / "changed.txt"

    def slow_down() -> None:
        flag.touch()
        changed_input.parent.mkdir(exist_ok=True)
        changed_input.touch()

    yield slow_down
    flag.unlink(missing_ok=True)
    changed_input.unlink(missing_ok=True)


@pytest.mark.any_frontend
def test_stop_while_text_streams_closes_the_model_and_keeps_the_text(comfy, panel, model):
    model.play(scenario("endless-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")

    panel.stop()

    model.wait_until(lambda: model.requests[0].closed_early, seconds=2)
    panel.wait_until_the_turn_is_over()
    stopped_at = panel.answer()
    comfy.page.wait_for_timeout(LONG_ENOUGH_FOR_ANOTHER_STEP)
    assert panel.answer() == stopped_at
    assert stopped_at.startswith("Once upon a time.")
    assert len(model.requests) == 1
    expect(panel.answers.last).to_contain_text("Stopped.")


@pytest.mark.any_frontend
def test_stop_before_the_answer_begins_lets_the_model_go_and_keeps_the_question(panel, model):
    model.play({"about": "Thinks long.", "steps": [{"first_byte": "10s", "reply": [{"say": "Too late."}]}]})
    panel.send("tell me a story")
    model.wait_until(lambda: len(model.requests) == 1)

    panel.stop()

    model.wait_until(lambda: model.requests[0].closed_early, seconds=2)
    panel.wait_until_the_turn_is_over()
    assert panel.has_kept("tell me a story")


@pytest.mark.any_frontend
def test_stop_while_a_server_tool_runs_ends_the_turn(comfy, panel, model, slow_environment):
    model.play(scenario("stopped-server-tool"))
    panel.send("find a node")
    model.wait_until(lambda: len(model.requests) == 1)
    slow_environment()
    expect(panel.tool_card("searchInstalledNodes")).to_have_attribute("data-state", "running")

    panel.stop()

    panel.wait_until_the_turn_is_over()
    comfy.page.wait_for_timeout(LONG_ENOUGH_FOR_ANOTHER_STEP)
    assert panel.tools_by_state() == [("searchInstalledNodes", "skipped")]
    assert len(model.requests) == 1
    assert comfy.node_types() == []


def test_stop_while_a_browser_tool_runs_interrupts_it_and_ends_the_turn(comfy, panel, model):
    comfy.add_node("TestSlowRun")
    model.play(scenario("stopped-browser-tool"))
    panel.send("run it")
    comfy.wait_until_running(1)

    panel.stop()

    comfy.wait_until_running(0)
    panel.wait_until_the_turn_is_over()
    comfy.page.wait_for_timeout(LONG_ENOUGH_FOR_ANOTHER_STEP)
    assert panel.tools_by_state() == [("executeWorkflow", "skipped")]
    assert len(model.requests) == 1
    assert comfy.node_types() == ["TestSlowRun"]

    model.play(scenario("short-answer"))
    panel.ask("why?")

    assert "The user stopped this call" in str(model.requests[-1].body["messages"])


@pytest.mark.any_frontend
def test_after_a_stop_the_next_message_is_answered(panel, model):
    model.play(scenario("endless-story"))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#5")
    panel.stop()
    panel.wait_until_the_turn_is_over()

    model.play(scenario("mixed-step"))
    answer = panel.ask("find a node and add one")

    assert "Found it" in answer
    assert model.refusals == []

"""ComfyUI ends in the midst of an answer and is started again, while its page stays open."""

from __future__ import annotations

import os
import shutil
import signal

import pytest
from playwright.sync_api import Browser, expect

from dev.comfyui_process import running_comfyui
from dev.places import SCREENSHOTS
from dev.processes import free_port
from tests.host.comfy import ComfyPage
from tests.host.conftest import SLOW_NODES, WINDOW, set_up_scripted_model
from tests.host.pages_of_a_turn import RUNS_AT_ONCE, reopened
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


@pytest.mark.slow
def test_the_open_page_waits_and_shows_how_far_the_answer_came_once_comfyui_is_back(
    model, model_port, extension, frontend, browser: Browser, tmp_path_factory
):
    base, port = tmp_path_factory.mktemp("restarted"), free_port()
    context = browser.new_context(viewport=WINDOW)
    with running_comfyui(base, extension=extension, frontend=frontend, port=port) as comfyui:
        set_up_scripted_model(comfyui, model_port)
        comfy = ComfyPage(context.new_page(), comfyui.url)
        comfy.open()
        panel = reopened(comfy.page)
        model.play(scenario("endless-story"))
        panel.send("tell me a story")
        expect(panel.answers.last).to_contain_text("#20 ", timeout=30_000)
        panel.composer.fill("and then?")
        os.kill(comfyui.pid, signal.SIGKILL)
        expect(panel.answers.last).to_contain_text(
            "The connection was lost; the answer goes on when it is back."
        )

    with running_comfyui(base, extension=extension, frontend=frontend, port=port):
        expect(panel.answers.last).to_contain_text(
            "The answer broke off before it was complete.", timeout=60_000
        )
        expect(panel.answers.last).to_contain_text("#5 ")
        expect(panel.errors).to_have_count(0)
        expect(panel.composer).to_have_value("and then?")
        panel.look_at("restarted")

        model.play(scenario("short-answer"))
        panel.root.get_by_role("button", name="Continue").click()
        panel.wait_until_the_turn_is_over()
        assert panel.answer() == "The quick brown fox."
        expect(panel.composer).to_have_value("and then?")
    context.close()


@pytest.mark.slow
def test_a_run_says_that_comfyui_is_away_and_the_turn_goes_on_once_it_is_back(
    model, model_port, extension, frontend, browser: Browser, tmp_path_factory
):
    base, port = tmp_path_factory.mktemp("restarted-in-a-run"), free_port()
    (base / "custom_nodes").mkdir()
    shutil.copy(SLOW_NODES, base / "custom_nodes")
    context = browser.new_context(viewport=WINDOW)
    with running_comfyui(base, extension=extension, frontend=frontend, port=port) as comfyui:
        set_up_scripted_model(comfyui, model_port)
        comfy = ComfyPage(context.new_page(), comfyui.url)
        comfy.open()
        panel = reopened(comfy.page)
        comfy.add_node("TestSlowRun", seconds=600)
        model.play(RUNS_AT_ONCE)
        panel.send("run it")
        comfy.wait_until_running(1)
        os.kill(comfyui.pid, signal.SIGKILL)
        card = panel.tool_card("executeWorkflow")
        expect(card).to_contain_text("ComfyUI does not answer; this goes on when it is back")
        expect(card).to_have_attribute("data-state", "running")
        panel.root.screenshot(path=SCREENSHOTS / "away-in-a-run.png")

    with running_comfyui(base, extension=extension, frontend=frontend, port=port):
        expect(card).to_contain_text("The run is gone from ComfyUI without a result", timeout=60_000)
        expect(panel.answers.last).to_contain_text("b29", timeout=30_000)
        panel.wait_until_the_turn_is_over()
        assert panel.tools_by_state() == [("executeWorkflow", "failed")]
        assert panel.errors.count() == 0
        assert "ComfyUI restarted" in model.requests[-1].messages[-1]["content"]
    context.close()

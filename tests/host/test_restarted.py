"""ComfyUI ends in the midst of an answer and is started again, while its page stays open."""

from __future__ import annotations

import os
import signal

import pytest
from playwright.sync_api import Browser, expect

from dev.comfyui_process import running_comfyui
from dev.processes import free_port
from tests.host.comfy import ComfyPage
from tests.host.conftest import WINDOW, set_up_scripted_model
from tests.host.pages_of_a_turn import reopened
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


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

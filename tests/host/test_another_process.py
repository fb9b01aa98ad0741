"""A turn that another ComfyUI runs, which has the database in common with this one and nothing else."""

from __future__ import annotations

import os
import signal

import pytest
from playwright.sync_api import Browser, expect

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from tests.host.comfy import ComfyPage
from tests.host.conftest import WINDOW, set_up_scripted_model
from tests.host.pages_of_a_turn import another_browser, reopened
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


def text_kept(comfy: ComfyPage) -> list[str]:
    """The words of the last answer in the newest chat, as the server has them."""
    newest, *_ = comfy.fetch("/assistant/threads")["body"]["threads"]
    parts = comfy.fetch(f"/assistant/threads/{newest['id']}")["body"]["messages"][-1]["parts"]
    return " ".join(part["text"] for part in parts if part["type"] == "text").split()


@pytest.mark.slow
def test_a_turn_of_another_comfyui_is_followed_stopped_and_left_when_that_is_killed(
    comfyui: ComfyUIProcess, panel, model, model_port, extension, frontend, browser: Browser, tmp_path_factory
):
    database = f"sqlite:///{comfyui.base}/user/__comfyui_assistant/assistant.sqlite3"
    with running_comfyui(
        tmp_path_factory.mktemp("another-comfyui"),
        extension=extension,
        frontend=frontend,
        environment={"COMFYUI_ASSISTANT_DATABASE_URL": database},
    ) as another:
        set_up_scripted_model(another, model_port)
        context = browser.new_context(viewport=WINDOW)
        its_page = ComfyPage(context.new_page(), another.url)
        its_page.open()
        its_panel = reopened(its_page.page)
        its_panel.begin_new_chat()
        model.play(scenario("endless-story"))
        its_panel.send("tell me a story")
        expect(its_panel.answers.last).to_contain_text("#5 ")

        with another_browser(ComfyPage(its_page.page, comfyui.url), context) as (_, here):
            told = here.root.get_by_text("Another ComfyUI at the same database answers in this chat.")
            expect(told).to_be_visible()
            said = len(here.answer())
            here.page.wait_for_function(
                "(said) => [...document.querySelectorAll('.cass-assistant')].at(-1).innerText.length > said + 40",
                arg=said,
            )
            here.look_at("turn-of-another-process")
            here.stop()
            model.wait_until(lambda: model.requests[0].closed_early, seconds=10)
            for each in (its_panel, here):
                each.wait_until_the_turn_is_over()
                expect(each.answers.last).to_contain_text("Stopped.")
            expect(told).to_be_hidden()
            kept = text_kept(its_page)
            assert here.answer().split() == kept
            # It gave up reading as soon as it heard of the Stop.
            assert its_panel.answer().split() == kept[: len(its_panel.answer().split())]

        its_panel.send("another one")
        expect(its_panel.answers.last).to_contain_text("#5 ")
        with another_browser(ComfyPage(its_page.page, comfyui.url), context) as (_, here):
            expect(here.answers.last).to_contain_text("#5 ", timeout=20_000)
            os.kill(another.pid, signal.SIGKILL)
            expect(here.stop_button).to_be_hidden(timeout=20_000)
            expect(here.answers.last).to_contain_text("The answer broke off before it was complete.")
            here.look_at("turn-of-a-killed-process")

            model.play(scenario("short-answer"))
            here.ask("and now?")
            expect(here.root.locator(".cass-user").last).to_have_text("and now?")
            assert here.errors.count() == 0
        context.close()

"""What another page changes or deletes: seen by whoever comes back to this one, and nothing that was typed is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend

COME_BACK = """() => window.dispatchEvent(new Event("focus"))"""


def thread_of(comfy: ComfyPage) -> str:
    (listed,) = comfy.fetch("/assistant/threads")["body"]["threads"]
    return f"/assistant/threads/{listed['id']}"


def test_a_chat_that_was_renamed_elsewhere_is_listed_so_once_the_person_comes_back(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("the first name")
    panel.open_chats()
    expect(panel.chat("the first name")).to_be_visible()

    comfy.fetch(thread_of(comfy), method="PATCH", body={"title": "another name"})
    comfy.page.evaluate(COME_BACK)

    expect(panel.chat("another name")).to_be_visible()
    expect(panel.chat("the first name")).to_have_count(0)
    panel.close_view()


def test_what_is_sent_in_a_chat_that_was_deleted_elsewhere_goes_along_into_a_new_one(
    comfy, panel: Panel, model
):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    path = thread_of(comfy)
    comfy.fetch(path, method="DELETE")

    panel.send("and what about the aubergine?")

    expect(panel.errors).to_contain_text("This chat does not exist any more")
    expect(panel.errors).not_to_contain_text(path.rpartition("/")[2])
    panel.look_at("deleted-elsewhere")
    panel.errors.get_by_role("button", name="New chat").click()
    expect(panel.composer).to_have_value("and what about the aubergine?")
    expect(panel.messages).to_have_count(0)
    panel.composer.press("Enter")
    panel.wait_until_the_turn_is_over()
    expect(panel.root.locator(".cass-user")).to_have_text(["and what about the aubergine?"])
    comfy.errors.clear()


@pytest.mark.slow
def test_a_page_that_comes_back_to_a_deleted_chat_says_so_and_keeps_what_was_typed(
    comfy, panel: Panel, model
):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    panel.composer.fill("and the aubergine?")
    comfy.fetch(thread_of(comfy), method="DELETE")

    comfy.reload()
    panel = Panel(comfy.page)
    panel.open()

    expect(panel.notice).to_contain_text("The chat that was to be opened does not exist any more")
    expect(panel.root.get_by_role("heading", name="What shall we build?")).to_be_visible()
    expect(panel.composer).to_have_value("and the aubergine?")
    panel.look_at("deleted-before-a-reload")
    comfy.errors.clear()

"""The list of chats: found again by what was said in them, pinned, exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.host.interception import Held, held
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


def test_a_chat_is_found_by_a_word_of_it_and_opened_there(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("tell me about the aubergine")
    panel.begin_new_chat()
    panel.ask("something else")

    panel.send("/history aubergine")
    panel.page.get_by_role("button", name="tell me about the aubergine").last.click()

    expect(panel.messages.first).to_contain_text("aubergine")
    expect(panel.composer).to_be_focused()
    assert comfy.errors == []


def test_a_new_chat_is_begun_also_in_the_moment_in_which_the_one_before_is_made(comfy, panel, model):
    model.play(scenario("short-answer"))
    made: list[Held] = []

    with held(comfy.page, "*/assistant/threads", made.append):
        panel.send("the first words of all")
        comfy.wait_until(lambda: "POST" in [request.method for request in made])
        panel.page.get_by_role("button", name="New chat").first.click()
        for request in made:
            request.go_on()
    expect(panel.messages).to_have_count(0)
    panel.ask("something else")

    expect(panel.root.locator(".cass-user")).to_have_text(["something else"])
    panel.open_chats()
    panel.chat("the first words of all").get_by_role("button").first.click()
    expect(panel.answers.last).to_contain_text("The quick brown fox.")
    assert comfy.errors == []


def test_a_pinned_chat_stays_so_and_comes_first(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("the first")
    panel.begin_new_chat()
    panel.ask("the second")

    panel.open_chats()
    panel.chat("the first").hover()
    panel.page.get_by_role("button", name="Pin “the first”", exact=True).click()

    expect(panel.page.locator(".cass-chat-title").first).to_have_text("the first")
    # The list shows it before the server was told.
    comfy.wait_until(lambda: pinned_by_title(comfy) == {"the first": True, "the second": False})
    panel.close_view()


def pinned_by_title(comfy) -> dict[str, bool]:
    threads = comfy.fetch("/assistant/threads")["body"]["threads"]
    return {thread["title"]: thread["pinned"] for thread in threads}


def test_a_deleted_chat_is_gone(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("to be forgotten")

    panel.open_chats()
    panel.chat("to be forgotten").hover()
    panel.page.get_by_role("button", name="Delete “to be forgotten”").click()
    panel.page.keyboard.press("Escape")
    expect(panel.page.get_by_role("button", name="Keep")).to_have_count(0)
    panel.page.get_by_role("button", name="Delete “to be forgotten”").click()
    expect(panel.root.get_by_text("Notes in Memory are kept.")).to_be_visible()
    panel.look_at("delete-chat")
    panel.page.get_by_role("button", name="Delete", exact=True).click()

    expect(panel.chat("to be forgotten")).to_have_count(0)
    panel.close_view()
    expect(panel.page.get_by_label("Search all chats")).to_have_count(0)
    comfy.page.wait_for_function(
        "async () => (await (await fetch('/api/assistant/threads')).json()).threads.length === 0"
    )
    assert comfy.errors == []


def test_a_chat_is_saved_as_a_file(panel, model):
    model.play(scenario("short-answer"))
    panel.ask("keep this")

    panel.open_chats()
    panel.chat("keep this").hover()
    with panel.page.expect_download() as download:
        panel.page.get_by_role("button", name="Export “keep this”").click()

    assert download.value.suggested_filename == "keep this.json"
    assert "keep this" in json.dumps(json.loads(Path(download.value.path()).read_text("utf-8")))
    panel.close_view()


def test_a_change_that_the_server_refuses_is_said(comfy, panel, model):
    model.play(scenario("short-answer"))
    panel.ask("the name stays")
    failure = {"error": {"code": "store_failed", "message": "The disk is full.", "hint": "Make room."}}

    def refuse(request: Held) -> None:
        if request.method == "PATCH":
            request.answer(500, failure)
        else:
            request.go_on()

    panel.open_chats()
    with held(comfy.page, "*/assistant/threads/*", refuse):
        panel.chat("the name stays").hover()
        panel.page.get_by_role("button", name="Rename “the name stays”").click()
        panel.page.get_by_label("Name of the chat").fill("another")
        panel.page.keyboard.press("Enter")

        expect(panel.root.get_by_role("alert")).to_contain_text("The disk is full. Make room.")
        expect(panel.chat("the name stays")).to_be_visible()
    panel.close_view()

"""A message that the search has found, shown at its place: in a long chat, in a long message, in another version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.planting import plant_chat

pytestmark = pytest.mark.any_frontend


@pytest.fixture
def data(comfyui: ComfyUIProcess) -> Path:
    return comfyui.base / "user" / "__comfyui_assistant"


def find(panel: Panel, words: str) -> None:
    panel.open_chats()
    panel.page.get_by_label("Search all chats").fill(words)
    panel.root.get_by_role("list", name="Found messages").get_by_role("button").first.click()


def test_a_message_far_up_in_a_long_chat_is_loaded_and_shown(comfy: ComfyPage, panel: Panel, data: Path):
    turns = [(f"question {number}", f"answer {number}") for number in range(120)]
    turns[7] = ("and the aubergine?", "It is purple.")
    plant_chat(data, "a long chat", turns)

    find(panel, "aubergine")

    found = panel.messages.filter(has_text="aubergine")
    expect(found).to_be_in_viewport()
    expect(found).to_have_class(re.compile("cass-revealed"))
    expect(panel.root.get_by_role("button", name="Show earlier messages (4)")).to_have_count(1)
    panel.look_at("found-message")
    assert comfy.errors == []


def test_a_message_of_the_open_chat_is_shown_that_it_had_not_loaded(panel: Panel, data: Path):
    turns = [(f"question {number}", f"answer {number}") for number in range(120)]
    turns[30] = ("and the aubergine?", "It is purple.")
    plant_chat(data, "a long chat", turns)
    find(panel, "answer 119")
    expect(panel.messages).to_have_count(60)

    find(panel, "aubergine")

    expect(panel.messages.filter(has_text="aubergine")).to_be_in_viewport()


def test_a_long_message_is_shown_where_it_has_the_word(panel: Panel, data: Path):
    lines = [f"Line {number} of many." for number in range(300)]
    lines[200] = "Line with the aubergine."
    plant_chat(data, "a long answer", [("write a lot", "\n\n".join(lines)), ("thanks", "Welcome.")])

    find(panel, "aubergine the")

    expect(panel.root.get_by_text("Line with the aubergine.")).to_be_in_viewport()


def test_of_a_message_of_another_version_it_is_said_where_it_is(panel: Panel, model):
    model.play({"about": "One.", "steps": [{"reply": [{"say": "Done."}]}], "after": "repeat"})
    panel.ask("draw an aubergine")
    panel.messages.first.hover()
    panel.root.get_by_role("button", name="Edit message").click()
    panel.root.get_by_role("textbox", name="Edit message").fill("draw a pear")
    panel.root.get_by_role("textbox", name="Edit message").press("Enter")
    expect(panel.messages.first).to_contain_text("pear")
    panel.wait_until_the_turn_is_over()

    find(panel, "aubergine")

    expect(panel.root.get_by_text("is in another version of this chat")).to_be_visible()

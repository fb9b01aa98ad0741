"""Personas: folders of the person's, chosen for a chat while it runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from dev.places import SCREENSHOTS
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


@pytest.fixture
def ada(comfyui: ComfyUIProcess) -> Iterator[None]:
    folder = comfyui.base / "user" / "__comfyui_assistant" / "personas"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / "SOUL.md").write_text(
        "---\nname: Ada\ndescription: Counts everything.\n---\nSpeak as Ada. Count twice.", "utf-8"
    )
    yield
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
def test_a_persona_is_switched_in_mid_thread_and_kept_with_it(comfy, panel: Panel, model, ada):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    panel.composer.press_sequentially("/persona a")
    expect(panel.page.get_by_role("option")).to_contain_text("Counts everything.")
    panel.composer.press("Enter")
    expect(panel.root.get_by_text("Ada answers in this chat from now on.")).to_be_visible()
    panel.ask("again")

    before, now = (request.messages for request in model.requests[-2:])
    assert now[: len(before)] == before
    assert "Speak as Ada. Count twice." in str(now[-1]["content"])
    panel.send("/persona")
    picker = panel.root.get_by_role("region", name="Persona of this chat")
    expect(picker.get_by_role("button", name="Ada", exact=True)).to_have_attribute("aria-pressed", "true")
    panel.page.screenshot(path=SCREENSHOTS / "personas.png")
    picker.get_by_role("button", name="Your own").click()
    expect(picker.get_by_role("button", name="Your own")).to_have_attribute("aria-pressed", "true")
    panel.close_view()
    panel.ask("and again")
    assert "has taken the persona back" in str(model.requests[-1].messages[-1]["content"])
    panel.begin_new_chat()
    panel.ask("hello")
    assert "Ada" not in str(model.requests[-1].messages)
    assert comfy.errors == []


def test_a_persona_is_made_edited_and_deleted_in_the_panel(comfy, panel: Panel, model, ada):
    model.play(scenario("short-answer"))
    panel.ask("hello")
    panel.send("/persona")
    picker = panel.root.get_by_role("region", name="Persona of this chat")
    picker.get_by_role("button", name="New persona").click()
    picker.get_by_label("Name of the persona").fill("critic")
    text = picker.get_by_label("Text of the persona")
    text.fill(text.input_value().replace("name: ", "name: Critic") + "Find every flaw.")
    panel.look_at("persona-editor")
    picker.get_by_role("button", name="Save").click()
    picker.get_by_role("button", name="Critic", exact=True).click()
    picker.get_by_role("button", name="Edit Critic").click()
    text.fill(text.input_value().replace("every", "each"))
    picker.get_by_role("button", name="Save").click()
    expect(picker.get_by_role("button", name="Edit Critic")).to_be_visible()
    panel.close_view()
    panel.ask("and now?")
    assert "Find each flaw." in str(model.requests[-1].messages)

    panel.send("/persona")
    picker.get_by_role("button", name="Delete Critic").click()
    expect(picker.get_by_text("The persona “critic” is gone; your own holds.")).to_be_visible()
    picker.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(picker.get_by_role("button", name="Edit Critic")).to_be_visible()
    picker.get_by_role("button", name="Edit Critic").click()
    text.fill("---\nname: [\n---\nBroken.")
    picker.get_by_role("button", name="Save").click()
    expect(picker.get_by_role("alert")).to_contain_text("front matter")
    panel.look_at("persona-refused")
    picker.get_by_role("button", name="Cancel").click()
    panel.close_view()

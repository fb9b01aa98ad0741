"""The first run: two screens about the person, which can be skipped and never take the place of anything."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend

OFFER = "New here? Tell me how you like to work"


@pytest.fixture
def own(comfyui: ComfyUIProcess, comfy) -> Iterator[Path]:
    """The folder of what the person wrote, as on a first visit, and again afterwards."""
    folder = comfyui.base / "user" / "__comfyui_assistant"
    with sqlite3.connect(folder / "assistant.sqlite3", timeout=20) as database:
        database.execute("DELETE FROM own_entry")
    yield folder
    for kind in ("rules", "preferences"):
        for entry in comfy.fetch(f"/assistant/you/{kind}")["body"]["entries"]:
            comfy.fetch(f"/assistant/you/{kind}", method="DELETE", body={"text": entry["text"]})
    (folder / "goals.md").unlink(missing_ok=True)


def test_who_skips_it_is_not_asked_again_and_nothing_is_told(comfy, own: Path, panel: Panel, model):
    panel.root.get_by_text(OFFER).click()
    panel.root.get_by_role("button", name="Skip").click()
    expect(panel.root.get_by_text("What shall we build?")).to_be_visible()
    expect(panel.root.get_by_text(OFFER)).to_have_count(0)
    comfy.reload()
    panel.open()
    expect(panel.root.get_by_text("What shall we build?")).to_be_visible()
    expect(panel.root.get_by_text(OFFER)).to_have_count(0)
    assert comfy.fetch("/assistant/you/rules")["body"]["entries"] == []
    assert model.requests == []
    assert comfy.errors == []


def test_what_was_answered_is_told_to_the_model_and_shown_on_the_page(comfy, own: Path, panel: Panel, model):
    model.play(scenario("short-answer"))
    asked = len(model.requests)
    panel.root.get_by_text(OFFER).click()
    questions = panel.root.get_by_role("region", name="About you")
    questions.get_by_label("In which language").fill("German")
    questions.get_by_role("button", name="Short and plain").click()
    panel.look_at("first-run")
    questions.get_by_role("button", name="Next").click()
    questions.get_by_role("button", name="Photos").click()
    questions.get_by_role("button", name="New to it").click()
    questions.get_by_role("button", name="Done").click()
    expect(panel.root.get_by_text("What shall we build?")).to_be_visible()
    expect(panel.root.get_by_text(OFFER)).to_have_count(0)
    assert len(model.requests) == asked

    panel.ask("hello")
    system = model.requests[-1].messages[0]["content"]
    for told in ("- Always answer in German.", "- Answer in few words", "- what I make: photos"):
        assert told in system
    panel.send("/you")
    expect(panel.root.get_by_role("region", name="Rules")).to_contain_text("Always answer in German.")
    panel.close_view()
    assert comfy.errors == []

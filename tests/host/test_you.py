"""What the person tells the assistant, seen and changed on the page "You"."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


@pytest.fixture
def own(comfyui: ComfyUIProcess, comfy) -> Iterator[Path]:
    """The folder of what the person wrote; empty again afterwards."""
    folder = comfyui.base / "user" / "__comfyui_assistant"
    yield folder
    for entry in comfy.fetch("/assistant/you/rules")["body"]["entries"]:
        if entry["source"] == "remembered":
            comfy.fetch("/assistant/you/rules", method="DELETE", body={"text": entry["text"]})
    for name in ("rules.md", "SOUL.md", "preferences.json"):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "system_context", ignore_errors=True)


def test_what_is_changed_on_the_page_is_what_the_model_is_told(comfy, panel: Panel, model, own: Path):
    (own / "rules.md").write_text("- Keep my seeds.\n", "utf-8")
    (own / "preferences.json").write_text('{"sampler": euler}', "utf-8")
    model.play(scenario("short-answer"))
    panel.send("/you")
    rules = panel.root.get_by_role("region", name="Rules")
    items = rules.get_by_role("listitem")
    expect(items).to_have_count(1)
    expect(items).to_contain_text("from the file rules.md, edited there")
    expect(items.get_by_role("button")).to_have_count(0)

    expect(panel.root.get_by_role("region", name="Preferences")).to_contain_text(
        "preferences.json It is not valid JSON."
    )
    for count, rule in enumerate(("Save every image.", "Two steps.", "Speak German."), 2):
        rules.get_by_label("Add to rules").fill(rule)
        rules.get_by_label("Add to rules").press("Enter")
        expect(items).to_have_count(count)
    rules.get_by_role("button", name="Move “Speak German.” up").click()
    expect(items.nth(1)).to_contain_text("Speak German.")
    rules.get_by_role("checkbox", name="Two steps.").click()
    rules.get_by_role("button", name="Repeat “Speak German.” with each message").click()
    expect(items.nth(1)).to_contain_text("with each message")
    rules.get_by_role("button", name="Delete “Save every image.”").click()
    expect(items).to_have_count(3)
    panel.root.get_by_role("button", name="Undo").click()
    expect(items.nth(0)).to_contain_text("Save every image.")
    rules.get_by_role("heading").scroll_into_view_if_needed()
    panel.look_at("you-rules")

    panel.root.get_by_role("button", name="Advanced").click()
    base = panel.root.get_by_role("region", name="Base prompt")
    base.get_by_role("button", name="Edit").click()
    base.get_by_role("textbox").fill("# Role\n\nYou are Ada.")
    base.get_by_role("button", name="Save").click()
    expect(base.get_by_role("button", name="Reset")).to_be_visible()
    told = panel.root.get_by_role("region", name="What a new chat is told")
    expect(told).to_contain_text("- Save every image.\n- Speak German.\n- Keep my seeds.")
    panel.look_at("you")
    panel.close_view()
    panel.ask("hello")

    system = model.requests[-1].messages[0]["content"]
    assert system.startswith("# Role\n\nYou are Ada.")
    assert "- Save every image.\n- Speak German.\n- Keep my seeds." in system
    assert "Two steps." not in system
    assert "Reminder of the user: Speak German." in str(model.requests[-1].messages[-1])
    panel.send("/you")
    panel.root.get_by_role("button", name="Advanced").click()
    base.get_by_role("button", name="Reset").click()
    expect(base).to_contain_text("You are ComfyUI Assistant.")
    panel.close_view()
    assert comfy.errors == []


def test_a_rule_that_is_being_written_stays_where_another_page_deletes_it(comfy, panel: Panel, own: Path):
    comfy.fetch("/assistant/you/rules", method="POST", body={"text": "Save every image."})
    panel.send("/you")
    rules = panel.root.get_by_role("region", name="Rules")
    rules.get_by_role("button", name="Edit “Save every image.”").click()
    rules.get_by_label("Save to rules").fill("Save every image as PNG.")

    comfy.fetch("/assistant/you/rules", method="DELETE", body={"text": "Save every image."})
    rules.get_by_role("button", name="Save", exact=True).click()

    expect(panel.root.get_by_role("alert")).to_be_visible()
    expect(rules.get_by_role("textbox").first).to_have_value("Save every image as PNG.")
    rules.get_by_role("listitem").get_by_role("button", name="Add").click()
    expect(rules.get_by_role("listitem")).to_have_count(1)
    expect(rules.get_by_role("checkbox", name="Save every image as PNG.")).to_be_checked()
    panel.close_view()
    comfy.errors.clear()

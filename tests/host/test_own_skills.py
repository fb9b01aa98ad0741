"""Skills and rules of the person, dropped in while ComfyUI runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.rule_for_all_chats import agree_to_the_rule, find_the_rule_in_this_chat_and_in_others
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend


@pytest.fixture
def own(comfyui: ComfyUIProcess) -> Iterator[Path]:
    """The folder of what the person wrote; empty again afterwards."""
    folder = comfyui.base / "user" / "__comfyui_assistant"
    yield folder
    (folder / "rules.md").unlink(missing_ok=True)
    shutil.rmtree(folder / "skills", ignore_errors=True)


def test_the_context_names_the_files_that_the_system_message_has_no_room_for(comfy, panel: Panel, model, own):
    (own / "rules.md").write_text(
        "\n".join(f"- Rule {number}: {'keep it short. ' * 40}" for number in range(40)), "utf-8"
    )
    model.play(scenario("short-answer"))
    panel.ask("hello")

    panel.send("/context")
    panel.root.get_by_text("The system message of this chat has no room for 1 file").click()

    expect(panel.root.get_by_text("rules.md 37 rules")).to_be_visible()
    panel.close_view()
    assert comfy.errors == []


def test_a_skill_that_is_dropped_in_is_completed_and_used(comfy, panel: Panel, model, own):
    """With a name of several words, beside a folder that is none and says why."""
    (own / "skills" / "Neon").mkdir(parents=True)
    (own / "skills" / "Neon" / "skill.md").write_text(
        "---\nname: Neon Look\ndescription: Glows at night.\n---\nUse magenta.", "utf-8"
    )
    (own / "skills" / "neon-empty").mkdir()
    model.play(scenario("short-answer"))

    panel.composer.press_sequentially("/sk")
    panel.composer.press("Enter")
    panel.composer.press_sequentially("n")
    options = panel.page.get_by_role("option")
    expect(options.nth(0)).to_contain_text("Glows at night.")
    panel.composer.press_sequentially("eon")
    expect(options).to_have_count(2)
    expect(options.nth(1)).to_contain_text("It holds no SKILL.md.")
    panel.composer.press("Enter")
    expect(panel.composer).to_have_value("/skill neon ")
    panel.composer.press_sequentially("make it glow")
    panel.composer.press("Enter")
    panel.wait_until_the_turn_is_over()
    assert "Use magenta." in str(model.requests[-1].messages)

    panel.composer.fill("/skill empty")
    options.click()
    expect(panel.root.get_by_role("region", name="Not read")).to_contain_text(
        "skills/neon-empty It holds no SKILL.md. Add one, or move the folder away."
    )
    listed = panel.root.get_by_role("region", name="All skills")
    expect(listed.get_by_role("listitem").filter(has_text="Neon Look")).to_contain_text("Glows at night.")
    panel.close_view()
    assert comfy.errors == []


@pytest.mark.slow
def test_a_rule_is_remembered_after_a_yes_and_holds_in_this_chat_and_in_others(comfy, panel: Panel, model):
    agree_to_the_rule(panel, model)
    find_the_rule_in_this_chat_and_in_others(comfy, panel, model)
    assert comfy.errors == []

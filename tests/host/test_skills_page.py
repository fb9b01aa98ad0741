"""The person's skills, written in the panel and by the model, taken in from elsewhere, and put back."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend

TEXT = "---\nname: Neon Look\ndescription: Glows at night.\n---\nUse magenta.\n"


@pytest.fixture
def own(comfyui: ComfyUIProcess) -> Iterator[Path]:
    """The folder of what the person wrote; without skills again afterwards."""
    folder = comfyui.base / "user" / "__comfyui_assistant"
    yield folder
    for name in ("skills", "skills-history"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "skills-state.json").unlink(missing_ok=True)


def skill_list(panel: Panel) -> Locator:
    return panel.root.get_by_role("region", name="All skills")


def test_a_skill_that_is_dropped_in_is_used_edited_deleted_and_put_back(
    comfy, panel: Panel, model, own: Path
):
    model.play(scenario("short-answer"))
    (own / "skills" / "Neon").mkdir(parents=True)
    (own / "skills" / "Neon" / "SKILL.md").write_text(TEXT, "utf-8")
    panel.composer.press_sequentially("/sk")
    panel.composer.press("Enter")
    panel.composer.press_sequentially("ne")
    panel.composer.press("Enter")
    panel.composer.press_sequentially("make it glow")
    panel.composer.press("Enter")
    panel.wait_until_the_turn_is_over()
    assert "Use magenta." in str(model.requests[-1].messages)

    panel.send("/skills")
    skill_list(panel).get_by_label("Search skills").fill("glows")
    skill_list(panel).get_by_role("button", name="neon").click()
    view = panel.root.get_by_role("region", name="Skill neon")
    expect(view).to_contain_text("Use magenta.")
    view.get_by_role("button", name="Edit").click()
    view.get_by_label("Text").fill(TEXT.replace("magenta", "**cyan**"))
    expect(view.get_by_label("Preview").locator("strong")).to_have_text("cyan")
    panel.look_at("skills-edit")
    view.get_by_role("button", name="Save").click()
    expect(view.get_by_role("button", name="Edit")).to_be_visible()
    expect(view).to_contain_text("Use cyan.")
    panel.look_at("skills")
    view.get_by_role("button", name="Delete").click()
    expect(skill_list(panel)).to_contain_text("No skill has all of these words.")
    assert not (own / "skills" / "Neon").exists()
    panel.root.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(skill_list(panel).get_by_role("button", name="neon")).to_be_visible()
    assert "**cyan**" in (own / "skills" / "Neon" / "SKILL.md").read_text("utf-8")

    skill_list(panel).get_by_label("Use neon").click()
    expect(skill_list(panel).get_by_label("Use neon")).not_to_be_checked()
    expect(skill_list(panel).get_by_label("Use neon")).to_be_enabled()
    panel.close_view()
    panel.composer.fill("/skill neon")
    expect(panel.page.get_by_role("option")).to_contain_text("It is switched off.")
    panel.composer.fill("")
    assert comfy.errors == []


def test_a_built_in_skill_is_switched_off_and_replaced(comfy, panel: Panel, model, own: Path):
    model.play(scenario("short-answer"))
    panel.send("/skills")
    skill_list(panel).get_by_label("Search skills").fill("model-flux flux.1")
    skill_list(panel).get_by_label("Use model-flux").click()
    expect(skill_list(panel).get_by_label("Use model-flux")).not_to_be_checked()
    panel.close_view()
    panel.ask("hello")
    assert "- model-flux: " not in str(model.requests[-1].messages[0])

    panel.send("/skills")
    skill_list(panel).get_by_label("Search skills").fill("model-flux")
    skill_list(panel).get_by_role("button", name=re.compile("^model-flux ")).click()
    view = panel.root.get_by_role("region", name="Skill model-flux")
    view.get_by_role("button", name="Edit as your own").click()
    view.get_by_label("Text").fill(TEXT)
    view.get_by_role("button", name="Save").click()
    expect(view.get_by_role("button", name="Delete")).to_be_visible()
    panel.look_at("skills-built-in")
    panel.close_view()
    panel.begin_new_chat()
    panel.ask("hello")
    assert "- model-flux: " in str(model.requests[-1].messages[0])
    assert comfy.errors == []


def test_a_skill_from_elsewhere_is_read_before_it_holds(comfy, panel: Panel, model, own: Path):
    model.play(scenario("short-answer"))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("neon/SKILL.md", TEXT)
        archive.writestr("neon/more.md", "Always loud.")
    panel.ask("hello")
    panel.send("/skills")
    file = {"name": "neon.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}
    panel.root.locator("input[accept='.zip']").set_input_files(file)
    view = panel.root.get_by_role("region", name="Skill neon")
    expect(view).to_contain_text("It came in neon.zip.")
    expect(view).to_contain_text("Always loud.")
    assert comfy.fetch("/user-context/skills")["body"]["skills"] == []
    panel.look_at("skills-elsewhere")
    view.get_by_role("button", name="accept").click()
    expect(skill_list(panel).get_by_label("Use neon")).to_be_checked()
    assert [skill["slug"] for skill in comfy.fetch("/user-context/skills")["body"]["skills"]] == ["neon"]

    panel.root.get_by_role("button", name="Make one of this chat").click()
    draft = panel.root.get_by_role("region", name="New skill")
    expect(draft.get_by_label("Text")).to_have_value(re.compile(r"1\. hello"))
    draft.get_by_role("button", name="Save").click()
    expect(panel.root.get_by_role("region", name="Skill hello")).to_contain_text(
        "What was asked, in this order"
    )
    panel.close_view()
    assert comfy.errors == []


def test_a_zip_comes_in_and_goes_out_again(comfy, panel: Panel, own: Path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Neon Look/SKILL.md", TEXT)
        archive.writestr("Neon Look/references/more.md", "Always loud.")
    panel.send("/skills")
    file = {"name": "look.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}
    panel.root.locator("input[accept='.zip']").set_input_files(file)
    view = panel.root.get_by_role("region", name="Skill neon-look")
    expect(view).to_contain_text("Always loud.")
    view.get_by_role("button", name="accept").click()
    expect(skill_list(panel).get_by_label("Use neon-look")).to_be_checked()

    # After that the page reads the skill again, whose folder goes with this test.
    again = re.compile(r"/skills/neon-look\?place=elsewhere$")
    with panel.page.expect_response(again), panel.page.expect_download() as download:
        view.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == "neon-look.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        texts = {name.split("/", 1)[1]: archive.read(name).decode() for name in archive.namelist()}
    assert texts == {"SKILL.md": TEXT, "references/more.md": "Always loud."}
    panel.close_view()
    assert comfy.errors == []


def test_what_the_model_writes_is_shown_as_a_difference_and_asked_about(
    comfy, panel: Panel, model, own: Path
):
    model.play(scenario("written-skill"))
    panel.send("keep this as a skill")
    question = panel.page.get_by_role("alertdialog")
    expect(question).to_contain_text("+ Use magenta.")
    question.get_by_role("button", name="Save").click()
    panel.wait_until_the_turn_is_over()
    panel.send("take cyan instead")
    expect(question).to_contain_text("- Use magenta.")
    expect(question).to_contain_text("+ Use cyan.")
    panel.look_at("skill-difference")
    question.get_by_role("button", name="Save").click()
    panel.wait_until_the_turn_is_over()
    assert (own / "skills" / "neon" / "SKILL.md").read_text("utf-8") == TEXT.replace("magenta", "cyan")

    panel.send("/skills")
    panel.root.get_by_text("Latest changes").click()
    panel.root.get_by_role("button", name="Undo: neon changed").click()
    expect(panel.root.get_by_text("“neon” was changed.")).to_be_visible()
    assert (own / "skills" / "neon" / "SKILL.md").read_text("utf-8") == TEXT
    panel.close_view()
    assert comfy.errors == []

"""Files that every chat knows: dropped in, switched, deleted, searched and cited."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.scenarios import scenario

BOOK = "# Lenses\n\nA wide lens bends the lighthouse.\n\n" + "Filler words, page after page. " * 3_000
DROP = """(target, [name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const drag = { dataTransfer, bubbles: true, cancelable: true };
    target.dispatchEvent(new DragEvent("dragover", drag));
    target.dispatchEvent(new DragEvent("drop", drag));
}"""


@pytest.fixture(autouse=True)
def project(comfyui: ComfyUIProcess) -> Iterator[Path]:
    """The folder of project files; without any before and afterwards."""
    folder = comfyui.base / "user" / "__comfyui_assistant" / "project"
    shutil.rmtree(folder, ignore_errors=True)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def line(panel: Panel, name: str) -> Locator:
    return (
        panel.root.get_by_role("region", name="Project files").get_by_role("listitem").filter(has_text=name)
    )


@pytest.mark.any_frontend
def test_files_are_dropped_in_switched_and_deleted(comfy, panel: Panel, model, project: Path, tmp_path: Path):
    model.play(scenario("short-answer"))
    panel.send("/files")
    expect(panel.root.get_by_text("Texts and PDF files that every chat should know")).to_be_visible()
    panel.look_at("files-empty")
    ours = panel.root.get_by_role("region", name="Project files")

    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / "cast.md").write_text("Mira is a fox.", "utf-8")
    (notes / "deep" / "places.md").write_text("A lighthouse.", "utf-8")
    (notes / ".hidden").write_text("x", "utf-8")
    ours.get_by_label("Add a folder").set_input_files(notes)
    expect(line(panel, "notes/deep/places.md")).to_contain_text("sent whole")
    expect(panel.root.get_by_text("1 hidden file left out.")).to_be_visible()
    panel.root.get_by_role("button", name="Dismiss").click()
    ours.evaluate(DROP, ["style.md", "Never use neon colours."])
    expect(line(panel, "style.md")).to_contain_text("23 bytes")
    panel.root.get_by_role("heading", name="Files", exact=True).evaluate(
        DROP, ["beside.md", "Nobody takes it."]
    )
    expect(panel.page.get_by_role("list", name="Attached files")).to_have_count(0)
    (project / "book.md").write_text("# Lenses\n\nA wide lens.\n\n" + "Word after word. " * 20_000, "utf-8")
    (project / "picture.png").write_bytes(b"\x89PNG\0")
    (project / "docs").symlink_to(tmp_path, target_is_directory=True)
    (project / "workflows" / "sky").mkdir(parents=True)
    (project / "workflows" / "sky" / "palette.md").write_text("Blue.", "utf-8")
    ours.evaluate(DROP, ["tone.md", "Keep it warm."])
    expect(panel.root.get_by_role("region", name="Not read")).to_contain_text(
        "project/docs It is a link, and links are not followed. Copy there what it leads to."
    )
    expect(line(panel, "book.md")).to_contain_text("too long to send whole: searched")
    expect(line(panel, "picture.png")).to_contain_text("left out")
    expect(line(panel, "picture.png")).to_contain_text("It is no text.")
    panel.look_at("files")

    ours.evaluate(DROP, ["style.md", "Only neon colours."])
    expect(panel.root.get_by_text("“style.md” is there already.")).to_be_visible()
    panel.look_at("files-there-already")
    panel.root.get_by_role("button", name="Replace it").click()
    expect(line(panel, "style.md")).to_contain_text("18 bytes")
    assert (project / "style.md").read_text("utf-8") == "Only neon colours."

    ours.get_by_label("Use tone.md").click()
    expect(line(panel, "tone.md")).to_contain_text("switched off")
    panel.root.get_by_role("button", name="Delete notes/deep/places.md").click()
    expect(line(panel, "places.md")).to_contain_text("It is your own file.")
    panel.look_at("files-delete")
    panel.root.get_by_role("button", name="Keep", exact=True).click()
    assert (project / "notes" / "deep" / "places.md").exists()
    panel.root.get_by_role("button", name="Delete notes/deep/places.md").click()
    panel.root.get_by_role("button", name="Delete", exact=True).click()
    expect(line(panel, "places.md")).to_have_count(0)
    assert not (project / "notes" / "deep" / "places.md").exists()
    panel.close_view()

    panel.ask("who is Mira?")
    told = str(model.requests[-1].messages)
    assert "Mira is a fox." in told
    assert "Only neon colours." in told
    assert "Blue." in told
    assert "A lighthouse." not in told
    assert "Keep it warm." not in told
    (conflict,) = comfy.errors
    assert "409" in conflict
    comfy.errors.clear()


def searching_and_citing(answer: str) -> dict[str, Any]:
    """A model that searches once, then answers."""
    query = {"query": "which lens bends a lighthouse"}
    return {
        "about": "Searches and cites.",
        "steps": [
            {"reply": [{"call": "searchHistory", "arguments": query}]},
            {"reply": [{"say": answer}]},
        ],
        "after": "repeat",
        "pace": 0,
    }


@pytest.mark.slow
@pytest.mark.any_frontend
def test_a_folder_that_does_not_fit_is_searched_and_the_citation_opens_at_the_place(
    comfy, panel: Panel, model, project: Path
):
    (project / "manual").mkdir(parents=True)
    for name, text in (
        ("a-colours.md", BOOK.replace("Lenses", "Colours").replace("lens", "hue")),
        ("b-lenses.md", BOOK),
    ):
        (project / "manual" / name).write_text(text, "utf-8")
    answer = "Night is dark. A wide lens bends the lighthouse [2].\n\nNot `a[1]`, nodes[2] or [9]."
    model.play(searching_and_citing(answer))
    panel.ask("what bends a lighthouse?")
    assert "bends the lighthouse" not in str(model.requests[-2].messages)
    assert "A wide lens bends the lighthouse" in str(model.requests[-1].messages)

    citation = panel.answers.last.get_by_role("button", name="Open document")
    expect(citation).to_have_count(1)
    expect(citation).to_have_text("[2]")
    panel.look_at("citation")
    citation.click()
    document = panel.root.get_by_role("region", name="Document 2")
    expect(document).to_contain_text("manual/b-lenses.md")
    expect(document.locator("mark")).to_contain_text("A wide lens bends the lighthouse.")
    expect(document.locator("mark")).to_be_in_viewport()
    panel.look_at("document")
    document.get_by_role("button", name="Later").click()
    expect(document).to_contain_text("of which 40,000 to 80,000 are shown")
    document.get_by_role("button", name="Earlier").click()
    expect(document).to_contain_text("of which 0 to 40,000 are shown")
    panel.close_view()

    comfy.reload()
    again = Panel(comfy.page)
    again.open()
    expect(again.answers.last.get_by_role("button", name="Open document 2")).to_be_visible()
    assert comfy.errors == []


@pytest.mark.any_frontend
def test_a_citation_of_an_attached_document_opens_it(comfy, panel: Panel, model):
    model.play(
        {"about": "Cites.", "steps": [{"reply": [{"say": "The seed is 4711 [1]."}]}], "after": "repeat"}
    )
    file = {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"It rains.\n\nThe seed is 4711."}
    panel.page.get_by_label("Files to attach").set_input_files(file)
    attached = panel.page.get_by_role("list", name="Attached files").get_by_role("listitem")
    expect(attached).to_have_attribute("aria-busy", "false")
    panel.ask("which seed?")
    panel.answers.last.get_by_role("button", name="Open document 1, notes.txt").click()
    document = panel.root.get_by_role("region", name="Document 1")
    expect(document.locator("mark")).to_contain_text("The seed is 4711.")
    panel.close_view()
    assert comfy.errors == []

from __future__ import annotations

import json
import os
from pathlib import Path

from comfyui_assistant.engine.comfy_user import acting_for
from comfyui_assistant.engine.project.project_files import ProjectFiles


async def test_each_user_has_files_of_their_own(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    with acting_for("ann"):
        await files.write("all", "", "style.md", b"No neon.", replace=False)
        assert [each.place.name for each in (await files.listed("")).files] == ["style.md"]
    with acting_for("bob"):
        assert list((await files.listed("")).files) == []
        assert await files.told("") == ([], 0)


async def test_what_is_off_or_has_no_text_is_listed_and_not_told(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    off = await files.write("all", "", "off.md", b"Off.", replace=False)
    await files.write("all", "", "picture.png", b"\x89PNG\0", replace=False)
    await files.write("all", "", "style.md", b"No neon.", replace=False)
    await files.switch(off.place.path, is_on=False)
    assert [each.place.name for each in (await files.told(""))[0]] == ["style.md"]
    listed = {each.place.name: each.as_json() for each in (await files.listed("")).files}
    assert listed["off.md"]["isOn"] is False
    assert listed["picture.png"]["problem"].startswith("It is no text.")
    assert listed["style.md"]["kind"] == "text/markdown"


async def test_a_file_that_somebody_puts_into_the_folder_is_one_at_once(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    home = Path((await files.listed("workflows/sky.json")).folders["workflow"])
    home.mkdir(parents=True)
    (home / "notes.md").write_text("Blue.", "utf-8")
    (told,), _ = await files.told("workflows/sky.json")
    assert (await files.text(told), told.place.scope) == ("Blue.", "workflow")
    ((_, _, text),) = await files.search([told], "blue")
    assert text == "Blue."


async def test_a_file_whose_name_is_no_utf_8_is_listed_told_and_searched(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    home = tmp_path / "project" / "all"
    home.mkdir(parents=True)
    (home / os.fsdecode(b"caf\xe9.md")).write_text("Blue.", "utf-8")
    (told,), _ = await files.told("")
    assert told.place.name == "caf\N{REPLACEMENT CHARACTER}.md"
    json.dumps(told.as_json(), ensure_ascii=False).encode()
    ((found, _, text),) = await files.search([told], "blue")
    assert (found.place.path, text) == (told.place.path, "Blue.")
    assert (await files.switch(told.place.path, is_on=False)).place.is_on is False
    await files.delete(told.place.path)
    assert list((await files.listed("")).files) == []
    await files.restore(told.place.path)
    moved = await files.move(told.place.path, "workflow", "workflows/sky.json")
    assert os.fsencode(moved.place.file.name) == b"caf\xe9.md"

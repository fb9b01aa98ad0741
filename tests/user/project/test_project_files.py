from __future__ import annotations

import json
import os
from pathlib import Path

from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.user.project.project_files import ProjectFiles


async def test_each_user_has_files_of_their_own(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    with acting_for("ann"):
        await files.write("style.md", b"No neon.", replace=False)
        assert [each.place.name for each in (await files.list()).files] == ["style.md"]
    with acting_for("bob"):
        assert list((await files.list()).files) == []
        assert await files.usable() == []


async def test_what_is_off_or_has_no_text_is_listed_and_not_usable(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    off = await files.write("off.md", b"Off.", replace=False)
    await files.write("picture.png", b"\x89PNG\0", replace=False)
    await files.write("style.md", b"No neon.", replace=False)
    await files.switch(off.place.path, is_on=False)
    assert [each.place.name for each in await files.usable()] == ["style.md"]
    listed = {each.place.name: each.as_json() for each in (await files.list()).files}
    assert listed["off.md"]["isOn"] is False
    assert listed["picture.png"]["problem"].startswith("It is no text.")
    assert listed["style.md"]["kind"] == "text/markdown"


async def test_a_file_that_somebody_puts_into_the_folder_is_one_at_once(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    folder = (await files.list()).folder
    folder.mkdir(parents=True)
    (folder / "notes.md").write_text("Blue.", "utf-8")
    (file,) = await files.usable()
    assert await files.text(file) == "Blue."
    ((_, _, text),) = await files.search([file], "blue")
    assert text == "Blue."


async def test_a_file_whose_name_is_no_utf_8_is_listed_searched_switched_and_deleted(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / os.fsdecode(b"caf\xe9.md")).write_text("Blue.", "utf-8")
    (file,) = await files.usable()
    assert file.place.name == "caf\N{REPLACEMENT CHARACTER}.md"
    json.dumps(file.as_json(), ensure_ascii=False).encode()
    ((found, _, text),) = await files.search([file], "blue")
    assert (found.place.path, text) == (file.place.path, "Blue.")
    assert (await files.switch(file.place.path, is_on=False)).place.is_on is False
    await files.delete(file.place.path)
    assert list((await files.list()).files) == []

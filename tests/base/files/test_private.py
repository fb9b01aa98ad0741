from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.files.private import make_private_file, make_private_folder


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_a_folder_and_a_file_are_their_owners_alone_also_where_they_were_not(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.parent.mkdir()
    folder.mkdir(mode=0o755)
    file = folder / "c"
    file.write_text("kept", "utf-8")
    file.chmod(0o644)
    for _ in range(2):
        make_private_folder(folder)
        make_private_file(file)
        make_private_folder(tmp_path / "d" / "e")
        make_private_file(tmp_path / "f")
    places = (folder, file, tmp_path / "d" / "e", tmp_path / "f")
    assert [stat.S_IMODE(place.stat().st_mode) for place in places] == [0o700, 0o600, 0o700, 0o600]
    assert file.read_text("utf-8") == "kept"


def test_where_nothing_can_be_made_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    make_private_folder(tmp_path / "file" / "folder")
    make_private_file(tmp_path / "none" / "file")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]

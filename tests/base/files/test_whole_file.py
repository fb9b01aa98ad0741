from __future__ import annotations

import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.files.whole_file import write_whole_file

from ...other_systems import Windows


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    write_whole_file(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_is_written_in_a_new_folder_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.json"
    write_whole_file(path, b"old")
    write_whole_file(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        write_whole_file(tmp_path / "taken", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_file_that_another_program_has_open_for_a_moment_is_replaced_after_it(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    windows = Windows(open_for=3, path=path)
    write_whole_file(path, b"new", replace=windows.replace)
    assert path.read_bytes() == b"new"
    assert windows.refusals == 3


def test_a_file_that_stays_open_keeps_what_it_had_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    with pytest.raises(PermissionError):
        write_whole_file(path, b"new", replace=Windows(open_for=10_000, path=path).replace)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.json"]

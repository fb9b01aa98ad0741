from __future__ import annotations

import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.files.comfy_files import find_file


def test_a_file_is_found_in_its_folder_and_below(tmp_path: Path) -> None:
    (tmp_path / "input" / "cats").mkdir(parents=True)
    (tmp_path / "input" / "cats" / "a.png").write_bytes(b"")
    assert find_file(tmp_path / "input", "cats/a.png") == (tmp_path / "input" / "cats" / "a.png").resolve()


@pytest.mark.parametrize("name", ["none", "", "folder", "../secret", "/etc/hostname", "link", "pipe", "a\0b"])
def test_anything_else_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "input" / "folder").mkdir(parents=True)
    (tmp_path / "secret").write_bytes(b"")
    os.symlink(tmp_path / "secret", tmp_path / "input" / "link")
    os.mkfifo(tmp_path / "input" / "pipe")
    assert find_file(tmp_path / "input", name) is None

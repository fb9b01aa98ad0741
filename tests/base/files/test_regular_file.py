from __future__ import annotations

import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.files.regular_file import (
    find_file,
    read_regular_file,
    read_whole_regular_file,
)


def test_the_beginning_of_a_file_is_read_with_its_size(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_regular_file(tmp_path / "file", 3) == (b"123", 5)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts what Linux lists there")
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("nothing", "No such file"),
        ("folder", "Is a directory"),
        ("pipe", "not a regular file"),
        ("device", "not a regular file"),
        ("link", "symbolic links"),
    ],
)
def test_what_is_no_file_is_refused_at_once_and_leaves_nothing_open(
    tmp_path: Path, kind: str, said: str
) -> None:
    path = _make(tmp_path / "file", kind)
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        with pytest.raises(OSError, match=said):
            read_regular_file(path, 10)
    assert os.listdir("/proc/self/fd") == before


def test_a_whole_file_is_read_through_links_and_none_that_is_too_long(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "circle").symlink_to("circle")
    assert read_whole_regular_file(tmp_path / "link", 5) == b"12345"
    for name, most in (("link", 4), ("circle", 5), ("none", 5)):
        with pytest.raises(OSError, match=r"too large|symbolic links|No such file"):
            read_whole_regular_file(tmp_path / name, most)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes and devices in folders")
@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_no_whole_file_is_read_where_something_else_lies(tmp_path: Path, kind: str) -> None:
    (tmp_path / "link").symlink_to(_make(tmp_path / "file", kind))
    with pytest.raises(OSError, match=r"directory|not a regular file"):
        read_whole_regular_file(tmp_path / "link", 10)


def _make(path: Path, kind: str) -> Path:
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        return Path(os.devnull)
    elif kind == "link":
        path.symlink_to(os.devnull)
    return path


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

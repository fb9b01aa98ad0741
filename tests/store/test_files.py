from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.store.files import set_aside, write_whole_file


def test_a_file_is_written_in_a_new_folder_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.json"
    write_whole_file(path, b"old")
    write_whole_file(path, b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole_file(tmp_path / "taken", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_file_is_set_aside_with_its_log_and_twice_in_a_second_too(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    places = []
    for content in ("first", "second"):
        path.write_text(content)
        path.with_name("a.sqlite3-wal").write_text(f"log of {content}")
        places.append(set_aside(path))
    assert [place.read_text() for place in places] == ["first", "second"]
    assert [place.with_name(f"{place.name}-wal").read_text() for place in places] == [
        "log of first",
        "log of second",
    ]
    assert not path.exists()

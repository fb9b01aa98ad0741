from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.store.files import set_aside

from ..other_systems import Windows


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


def test_a_database_stays_with_its_log_where_another_program_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_text("chats")
    path.with_name("a.sqlite3-wal").write_text("what was said last")
    with pytest.raises(PermissionError):
        set_aside(path, rename=Windows(open_for=10_000, path=path).rename)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.sqlite3", "a.sqlite3-wal"]


def test_a_database_that_is_open_for_a_moment_is_set_aside_after_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_text("chats")
    aside = set_aside(path, rename=Windows(open_for=3, path=path).rename)
    assert aside.read_text() == "chats"

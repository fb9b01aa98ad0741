from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.own_skills.history import History


def keep(history: History, slug: str) -> str:
    with history.keep("changed", slug, slug) as (change, before):
        before.write_text("before", "utf-8")
    return change.id


def test_changes_are_listed_newest_first_with_what_was_before(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    ids = [keep(history, slug) for slug in ("one", "two")]
    newest = history.newest()
    assert [change.id for change in newest] == ids[::-1]
    assert history.before(newest[0]).read_text("utf-8") == "before"


def test_a_change_that_failed_is_none(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    with pytest.raises(FileNotFoundError), history.keep("changed", "one", "one") as (_, before):
        (before / "nowhere").write_text("before", "utf-8")
    assert (history.newest(), list((tmp_path / "history").iterdir())) == ([], [])


def test_the_newest_hundred_are_kept(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    ids = [keep(history, f"skill-{number}") for number in range(103)]
    assert [change.id for change in history.newest()] == ids[:2:-1]


def test_a_damaged_entry_is_no_change(tmp_path: Path) -> None:
    history = History(tmp_path)
    damaged = keep(history, "one")
    (tmp_path / damaged / "change.json").write_text("{", "utf-8")
    assert (history.find(damaged), history.newest()) == (None, [])


@pytest.mark.parametrize("is_flat", [False, True])
def test_what_was_deleted_without_room_for_a_note_is_known_by_its_name(tmp_path: Path, is_flat: bool) -> None:
    history = History(tmp_path / "history")
    keep(history, "one")
    with history.keep_deleted("soft-light") as (change, before):
        if is_flat:
            before.write_text("Soft.", "utf-8")
        else:
            before.mkdir()
    newest = history.newest()[0]
    assert (newest.id, newest.what, newest.slug) == (change.id, "deleted", "soft-light")
    assert newest.entry == ("soft-light.md" if is_flat else "soft-light")
    assert history.before(newest).exists()
    ids = [keep(history, f"skill-{number}") for number in range(103)]
    assert [each.id for each in history.newest()] == ids[:2:-1]
    assert len(list((tmp_path / "history").iterdir())) == 100

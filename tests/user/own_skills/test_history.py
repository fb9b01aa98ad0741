from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.user.own_skills.history import History


def keep(history: History, slug: str) -> str:
    with history.keep("changed", slug, slug) as (change, before):
        before.write_text("before", "utf-8")
    return change.id


def test_changes_are_listed_newest_first_with_what_was_before(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    ids = [keep(history, slug) for slug in ("one", "two")]
    newest = history.newest()
    assert [change.id for change in newest] == ids[::-1]
    assert history.previous_version(newest[0]).read_text("utf-8") == "before"


def test_a_change_that_failed_is_none(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    with pytest.raises(FileNotFoundError), history.keep("changed", "one", "one") as (_, before):
        (before / "nowhere").write_text("before", "utf-8")
    assert (history.newest(), list((tmp_path / "history").iterdir())) == ([], [])


def test_of_each_skill_the_last_change_is_kept(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    ids = [keep(history, slug) for slug in ("one", "two", "one", "one")]
    assert [change.id for change in history.newest()] == [ids[3], ids[1]]
    assert sorted(path.name for path in (tmp_path / "history").iterdir()) == sorted([ids[1], ids[3]])


def test_a_change_that_failed_leaves_what_was_kept_before(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    kept = keep(history, "one")
    with pytest.raises(FileNotFoundError), history.keep("changed", "one", "one") as (_, before):
        (before / "nowhere").write_text("before", "utf-8")
    assert [change.id for change in history.newest()] == [kept]


def test_a_damaged_entry_is_no_change(tmp_path: Path) -> None:
    history = History(tmp_path)
    damaged = keep(history, "one")
    (tmp_path / damaged / "change.json").write_text("{", "utf-8")
    assert (history.find(damaged), history.newest()) == (None, [])

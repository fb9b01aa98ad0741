from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.user.own_skills.import_record import (
    IMPORT_RECORD,
    ImportRecord,
    hash_contents,
    read_import_record,
    write_import_record,
)


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert (read_import_record(None), read_import_record(tmp_path)) == (None, None)
    write_import_record(tmp_path, "neon.zip")
    assert read_import_record(tmp_path) == ImportRecord("neon.zip")


def test_a_record_that_says_that_the_skill_was_accepted_still_says_so(tmp_path: Path) -> None:
    for accepted in ("", "abc", False, True):
        (tmp_path / IMPORT_RECORD).write_text(json.dumps({"name": "neon.zip", "accepted": accepted}), "utf-8")
        assert read_import_record(tmp_path) == ImportRecord("neon.zip", is_accepted=bool(accepted))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "7", "[" * 100_000])
def test_a_record_that_cannot_be_read_accepts_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / IMPORT_RECORD).write_text(text, "utf-8")
    assert read_import_record(tmp_path) == ImportRecord()


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
def test_a_record_that_is_a_pipe_is_not_waited_for_and_accepts_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / IMPORT_RECORD)
    assert read_import_record(tmp_path) == ImportRecord()


def test_contents_change_with_every_file_and_not_with_the_record(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text("Text.", "utf-8")
    first = hash_contents(tmp_path)
    write_import_record(tmp_path, "neon.zip")
    assert hash_contents(tmp_path) == first
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "notes.md").write_text("Notes.", "utf-8")
    second = hash_contents(tmp_path)
    (tmp_path / "deep" / "notes.md").rename(tmp_path / "deep" / "others.md")
    assert len({first, second, hash_contents(tmp_path)}) == 3


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_counts_by_where_it_leads_and_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    first = hash_contents(tmp_path)
    (tmp_path / "round").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert hash_contents(tmp_path) != first

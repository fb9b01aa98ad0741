from __future__ import annotations

import hashlib
import os
import shutil
import time

import pytest
from comfyui_assistant.engine.base.errors import DownloadError
from comfyui_assistant.engine.comfy.downloads.part_file import PartFile, check_room


@pytest.fixture
def part(tmp_path):
    part = PartFile(tmp_path / "a.safetensors", "one")
    part.open()
    yield part
    part.close()


def test_it_goes_on_with_what_is_there(part):
    part.write(b"abc")
    part.close()
    again = PartFile(part.target, "one")
    again.open()
    again.write(b"def")
    again.finish()

    assert part.target.read_bytes() == b"abcdef"
    assert again.sha256() == hashlib.sha256(b"abcdef").hexdigest()
    assert [path.name for path in part.target.parent.iterdir()] == ["a.safetensors"]


def test_another_file_does_not_go_on_in_it(part):
    assert PartFile(part.target, "two").path != part.path


def test_a_file_is_never_replaced(part):
    part.target.write_text("mine")
    with pytest.raises(DownloadError, match="already"):
        part.finish()

    assert part.target.read_text() == "mine"


def test_it_is_moved_where_the_file_system_has_no_links(part, monkeypatch):
    def refuse(*_):
        raise OSError("not supported")

    monkeypatch.setattr(os, "link", refuse)
    part.write(b"abc")
    part.finish()

    assert part.target.read_bytes() == b"abc"
    assert not part.path.exists()


def test_old_parts_are_cleared_away(part):
    week_ago = time.time() - 8 * 86_400
    os.utime(part.path, (week_ago, week_ago))
    other = PartFile(part.target, "two")
    other.open()
    other.close()

    assert not part.path.exists()


def test_what_has_no_room_is_refused_before_anything_comes(tmp_path):
    assert check_room(tmp_path / "not" / "there", 1) > 0
    with pytest.raises(DownloadError) as refused:
        check_room(tmp_path, 10**18)
    assert refused.value.code == "disk_full"


@pytest.mark.parametrize(
    ("needed", "free", "why"),
    [
        (40_000_000, 7_000_000, "it needs 40 MB beside the 268 MB that stay free; 7 MB are free"),
        (3_000_000_000, 999_000, "it needs 3.0 GB beside the 268 MB that stay free; 999 kB are free"),
        (40_000, 0, "it needs 40 kB beside the 268 MB that stay free; 0 kB are free"),
        (0, 10_000_000, "its size is not told, and 268 MB stay free; 10 MB are free"),
    ],
)
def test_what_is_needed_and_what_is_free_stand_in_units_that_tell_it(
    tmp_path, monkeypatch, needed, free, why
):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**12, 0, free))
    with pytest.raises(DownloadError, match=f": {why}."):
        check_room(tmp_path, needed)

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.base.files.writing import (
    locked,
    make_private_file,
    make_private_folder,
    saving,
    write_whole_file,
)

from dev.places import ROOT

from ...other_systems import Windows

HOLDER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from engine.base.files.writing import locked
with locked(Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


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


def test_another_process_waits_until_the_first_has_ended_however_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a.lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(ROOT), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    entered = threading.Event()

    def enter() -> None:
        with locked(path):
            entered.set()

    waiting = threading.Thread(target=enter)
    waiting.start()
    assert not entered.wait(0.3)
    holder.kill()
    holder.wait()
    assert entered.wait(10)
    waiting.join()


def test_a_drive_that_knows_no_locks_is_no_reason_to_lose_the_change(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.lock").mkdir()
    with caplog.at_level("INFO"), locked(tmp_path / "a.lock"):
        pass
    assert "cannot be locked" in caplog.text


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (errno.ENOSPC, "disk_full", 507),
        (errno.EROFS, "not_saved", 500),
        (errno.EACCES, "not_saved", 500),
    ],
)
def test_a_failure_of_the_disk_is_told_with_what_to_do(error: int, code: str, status: int) -> None:
    with pytest.raises(StoreError) as told, saving("The skill"):
        raise OSError(error, "said by the system")
    assert (told.value.code, told.value.status) == (code, status)
    assert told.value.hint

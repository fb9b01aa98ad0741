from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.files.file_lock import locked

from dev.places import ROOT

HOLDER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from engine.base.files.file_lock import locked
with locked(Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


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

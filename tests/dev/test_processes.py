"""Child processes end when they are told to."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from dev.processes import ChildProcess

WAITS = "import time; print('waits', flush=True); time.sleep(60)"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals that are passed on")
def test_a_child_ends_by_itself_also_below_a_command_in_the_background(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = ChildProcess("A child", [sys.executable, "-c", WAITS], log=tmp_path / "child.log")
    finally:
        signal.signal(signal.SIGINT, before)
    while "waits" not in child.log_text():
        assert child.is_running()
        time.sleep(0.02)

    child.stop()

    assert "KeyboardInterrupt" in child.log_text()

"""Child processes that are started with a log, waited for, and ended by their own id."""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from dev.places import ROOT

SECONDS_TO_END = 10
LOG_LINES_SHOWN = 25


class ProcessFailed(Exception):
    """A child process ended, or did not answer in time. The text holds the end of its log."""


class ChildProcess:
    def __init__(
        self,
        title: str,
        command: list[str | Path],
        *,
        log: Path,
        environment: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
    ) -> None:
        self.title = title
        self.log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                cwd=cwd,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # Its own group: Ctrl+C reaches only the parent, which then ends its children in order.
                start_new_session=True,
                preexec_fn=_listen_to_ends if os.name == "posix" else None,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_running(self) -> bool:
        return self._process.poll() is None

    def wait_until_it_answers(self, url: str, *, seconds: float) -> None:
        """Wait for HTTP 200. Raises ProcessFailed when the process ends before, or the time is over."""
        deadline = time.monotonic() + seconds
        while not answers(url):
            if not self.is_running():
                raise ProcessFailed(
                    f"{self.title} ended with code {self._process.returncode}.\n{self.log_end()}"
                )
            if time.monotonic() > deadline:
                raise ProcessFailed(f"{self.title} did not answer within {seconds:.0f} s.\n{self.log_end()}")
            time.sleep(0.1)

    def stop(self) -> None:
        if self.is_running():
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()

    def log_text(self) -> str:
        return self.log.read_text(errors="replace")

    def log_end(self, lines: int = LOG_LINES_SHOWN) -> str:
        end = "\n".join(f"  | {line}" for line in self.log_text().splitlines()[-lines:])
        return f"The end of {self.log}:\n{end}"


def _listen_to_ends() -> None:
    """In the child: what a shell starts by `&` ignores SIGINT, and all below it; and Linux tells it that its parent was
    killed, which cannot end it any more."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


def answers(url: str, *, seconds: float = 2) -> bool:
    with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(url, timeout=seconds) as response:
        return response.status == 200
    return False


_UNASSIGNED = range(20_000, 32_000)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port(preferred: int = 0) -> int:
    """The preferred port or the next free one; any free one without a preference.

    Such a one is below those that the system hands out by itself, so that nobody's connection has it before it is used,
    or between two uses.
    """
    candidates = range(preferred, 65536) if preferred else random.sample(_UNASSIGNED, len(_UNASSIGNED))
    return next(port for port in candidates if is_free(port))

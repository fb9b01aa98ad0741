"""A part of the set-up: installed once, marked by a stamp of its pinned versions, skipped while the stamp matches."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dev.places import CACHE, LOGS, ROOT, shown

LOG_LINES_SHOWN = 25


class SetUpFailed(Exception):
    """Set-up stopped. The text is for the person at the terminal: what failed, the log's end, what to do."""


@dataclass
class Installation:
    """One component being installed: names each step on the terminal and keeps all output in a log file."""

    component: Component
    log: Path
    step_name: str = ""
    started: float = field(default_factory=time.monotonic)

    def step(self, name: str) -> None:
        self.step_name = name
        print(f" {name} …", end="", flush=True)

    def run(
        self, *command: str | Path, cwd: Path = ROOT, environment: Mapping[str, str] | None = None
    ) -> None:
        """Run quietly. Raises SetUpFailed with the end of the log when the command fails."""
        arguments = [str(part) for part in command]
        with self.log.open("ab") as log:
            log.write(f"\n$ {' '.join(arguments)}\n".encode())
            log.flush()
            ended = subprocess.run(
                arguments,
                cwd=cwd,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if ended.returncode:
            raise self.failure(f"{Path(arguments[0]).name} ended with code {ended.returncode}")

    def pip(self, python: Path, *arguments: str | Path) -> None:
        self.run(python, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments)

    def failure(self, found: str) -> SetUpFailed:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        end = "\n".join(f"  | {line}" for line in lines[-LOG_LINES_SHOWN:])
        at = f" at “{self.step_name}”" if self.step_name else ""
        return SetUpFailed(
            f"Setting up {self.component.title} failed{at}: {found}.\n{end}\n"
            f"The whole log: {shown(self.log)}\n"
            f"What to do: {self.component.advice} Then run the same command again; what is done stays done."
        )


@dataclass(frozen=True)
class Component:
    """Without a stamp, `is_present` alone decides: for what others install, too."""

    name: str
    title: str
    install: Callable[[Installation], None]
    stamp: Path | None = None
    pins: Callable[[], str] = lambda: ""
    needs: tuple[Component, ...] = ()
    duration: str = ""
    advice: str = "check the network connection and the free disk space."
    is_present: Callable[[], bool] = lambda: True

    def expected_stamp(self) -> str:
        return hashlib.sha256(self.pins().encode()).hexdigest()

    def is_ready(self) -> bool:
        if self.stamp is None:
            return self.is_present()
        return (
            self.stamp.is_file()
            and self.stamp.read_text().strip() == self.expected_stamp()
            and self.is_present()
        )


def ensure(*components: Component) -> None:
    """Install what is missing or outdated, needs first. Raises SetUpFailed."""
    for component in components:
        ensure(*component.needs)
        if not component.is_ready():
            with _only_one_set_up():
                if not component.is_ready():
                    _install(component)


def _install(component: Component) -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"set-up-{component.name}.log"
    log.unlink(missing_ok=True)
    expected = component.expected_stamp()
    if component.stamp:
        component.stamp.unlink(missing_ok=True)
    duration = f" ({component.duration}, once)" if component.duration else ""
    print(f"setting up {component.title}{duration}:", end="", flush=True)
    installation = Installation(component, log)
    try:
        component.install(installation)
    except BaseException:
        print(flush=True)
        raise
    if component.stamp:
        component.stamp.parent.mkdir(parents=True, exist_ok=True)
        component.stamp.write_text(expected + "\n")
    print(f" done in {time.monotonic() - installation.started:.0f} s", flush=True)


@contextlib.contextmanager
def _only_one_set_up() -> Iterator[None]:
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "set-up.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another set-up of the same cache to end …", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def file_texts(*paths: Path) -> str:
    return "\n".join(path.read_text() for path in paths)


def interpreter() -> str:
    """The Python that set-up builds environments from, as part of their stamps."""
    return f"python {sys.version_info.major}.{sys.version_info.minor} {sys.platform}"


def create_venv(installation: Installation, venv: Path, python: Sequence[str] = (sys.executable,)) -> None:
    """Create the environment, or keep one that works: packages are then only brought to their pins."""
    works = (
        venv.joinpath("bin/python").exists()
        and not subprocess.run(
            [venv / "bin" / "python", "-c", "import pip"], capture_output=True, check=False
        ).returncode
    )
    if not works:
        installation.run(*python, "-m", "venv", "--clear", venv)


def replace_folder(new: Path, destination: Path) -> None:
    """Put a finished folder in place of an older one, by renaming."""
    old = destination.with_name(destination.name + ".old")
    remove_folder(old)
    if destination.exists():
        destination.rename(old)
    new.rename(destination)
    remove_folder(old)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)

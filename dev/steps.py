"""Steps of a check: commands that run quietly, a few side by side; only a failing one is shown whole."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from dev.places import LOGS, ROOT, VOCABULARY, shown
from dev.python_tools import node_environment

LINES_SHOWN = 120
NAME_WIDTH = 34
MOST_AT_ONCE = 4
MOST_TRIED_AGAIN = 3
MEMORY = Path("/dev/shm")
ROOM_IN_MEMORY = 6_000_000_000
LEFT_OUT = ("OPENAI_", "LLM_", "COMFYUI_ASSISTANT_", "PYTHONDONTWRITEBYTECODE")

_terminal = threading.Lock()


@dataclass(frozen=True)
class Step:
    """`run` is a command, or a function that returns what it found wrong (nothing where all is well).

    `second_try` makes a command of a few tests that failed. It is for tests in a browser, which share a busy
    machine: one that passes then is named as unsteady, and is to be mended.
    """

    name: str
    run: Sequence[str | Path] | Callable[[], str]
    cwd: Path = ROOT
    hint: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    second_try: Callable[[Sequence[str]], Sequence[str | Path]] | None = None

    def log(self) -> Path:
        return LOGS / f"{re.sub(r'[^A-Za-z0-9.]+', '-', self.name)}.log"


@dataclass(frozen=True)
class Outcome:
    step: Step
    passed: bool
    output: str
    seconds: float
    unsteady: Sequence[str] = ()


def hermetic_environment() -> dict[str, str]:
    """Without the developer's own endpoint and keys, which must not decide what a test does.

    Bytecode is kept, whatever the developer's shell says: else each step compiles all of its modules again.
    """
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(LEFT_OUT) or name == "COMFYUI_ASSISTANT_CACHE"
    }
    ours = {"TIKTOKEN_CACHE_DIR": str(VOCABULARY), "NO_COLOR": "1"}
    return {**inherited, **node_environment(), **ours}


def run_on_terminal(
    *command: str | Path, cwd: Path = ROOT, environment: Mapping[str, str] | None = None
) -> bool:
    """Run one command with its output on the terminal. True when it ended well."""
    environment = {**hermetic_environment(), **(environment or {})}
    return subprocess.run(command, cwd=cwd, env=environment, check=False).returncode == 0


def run_steps(steps: Sequence[Step]) -> bool:
    """Run all steps, begun in their order, one more at once than there are cores. True when every one passed.

    A step waits for a fifth of its time: for a page, a process that ends, a moment that has to pass.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    with (
        temporary_files() as environment,
        ThreadPoolExecutor(min(MOST_AT_ONCE, (os.cpu_count() or 1) + 1)) as threads,
    ):
        outcomes = list(threads.map(partial(_run, environment=environment), steps))
    failed = [outcome for outcome in outcomes if not outcome.passed]
    for outcome in failed:
        _show_failure(outcome)
    for outcome in outcomes:
        for test in outcome.unsteady:
            print(f"UNSTEADY: {test} passed in a second try only; {shown(outcome.step.log())} says why.")
    return not failed


@contextmanager
def temporary_files(memory: Path = MEMORY, room: int = ROOM_IN_MEMORY) -> Iterator[Mapping[str, str]]:
    """The environment in which temporary files lie in memory, where it has `room` bytes, and are gone afterwards.

    Databases wait for the disk at each message, and the browser writes its profile: a third of the time of all tests.
    """
    if not (memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= room):
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="steps-", dir=memory, ignore_cleanup_errors=True) as folder:
        yield {"TMPDIR": folder}


def _run(step: Step, environment: Mapping[str, str]) -> Outcome:
    started = time.monotonic()
    unsteady: Sequence[str] = ()
    if callable(step.run):
        output = step.run()
        passed = not output
    else:
        passed, output = _run_quietly(step, step.run, environment)
        failures = failed_tests(output) if step.second_try and not passed else ()
        if step.second_try and 0 < len(failures) <= MOST_TRIED_AGAIN:
            passed, second = _run_quietly(step, step.second_try(failures), environment)
            output = f"{output}\n──── a second try of what failed ────\n{second}"
            unsteady = failures if passed else ()
    step.log().write_text(output)
    outcome = Outcome(step, passed, output, time.monotonic() - started, unsteady)
    with _terminal:
        mark = "ok    " if passed else "FAILED"
        print(f"{mark} {step.name:<{NAME_WIDTH}} {outcome.seconds:6.1f} s  {_last_count(output)}", flush=True)
    return outcome


def _run_quietly(
    step: Step, command: Sequence[str | Path], environment: Mapping[str, str]
) -> tuple[bool, str]:
    ended = subprocess.run(
        [str(part) for part in command],
        cwd=step.cwd,
        env={**hermetic_environment(), **environment, **step.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return ended.returncode == 0, ended.stdout


def failed_tests(output: str) -> list[str]:
    """The tests that pytest names in its summary, each once, as it takes them on its command line; with errors, too."""
    named = re.findall(r"^(?:FAILED|ERROR) (\S+\.py::[^\[\s]+(?:\[.*?\](?= - |$))?)", output, re.MULTILINE)
    return list(dict.fromkeys(named))


def _last_count(output: str) -> str:
    """The line in which a test runner says how many tests passed, if there is one."""
    counts = (line.strip("= ") for line in reversed(output.splitlines()) if re.search(r"\d+ passed", line))
    return next(counts, "")


def _show_failure(outcome: Outcome) -> None:
    lines = outcome.output.splitlines()
    cut = len(lines) > LINES_SHOWN
    print(f"\n──── {outcome.step.name} failed ────", file=sys.stderr)
    print("\n".join(lines[-LINES_SHOWN:]), file=sys.stderr)
    if cut:
        print(
            f"(the last {LINES_SHOWN} of {len(lines)} lines; all: {shown(outcome.step.log())})",
            file=sys.stderr,
        )
    if outcome.step.hint:
        print(f"What to do: {outcome.step.hint}", file=sys.stderr)

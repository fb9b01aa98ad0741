"""The unit tests on the Pythons from 3.10 to 3.13 that this machine has, with the oldest and the newest libraries.

`make test` takes a quick part of them on the oldest and the newest, where most breaks; `make nightly` all on each.
The oldest interpreter gets the lower bounds of pyproject.toml, every other one what pip finds newest.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dev.comfyui import product_dependencies
from dev.component import Component, Installation, create_venv, file_texts
from dev.places import MATRIX, REQUIREMENTS, venv_python
from dev.steps import Step

SUPPORTED = ("3.10", "3.11", "3.12", "3.13")

# Benchmarks and set-up run on one interpreter; many random cases of pure Python say nothing of a version.
ALL_TESTS = (
    "tests",
    *(
        "--ignore=tests/host",
        "--ignore=tests/panel",
        "--ignore=tests/dev",
        "--ignore=tests/bench",
        "--ignore=tests/postgresql",
    ),
    "--ignore-glob=tests/context/test_invariants*.py",
)
QUICK_TESTS = (
    *("tests/test_portability.py", "tests/test_api.py"),
    *("tests/base", "tests/settings", "tests/store", "tests/stream", "tests/llm"),
    *("-m", "not slow"),
)

SURROUNDINGS = REQUIREMENTS / "unit-tests.txt"


@dataclass(frozen=True)
class Environment:
    version: str
    component: Component
    step: Step


def quick_environments() -> list[Environment]:
    """The oldest interpreter and the newest, with the tests of what depends on an interpreter or a library most."""
    environments = _environments(QUICK_TESTS)
    return [*environments[:1], *environments[1:][-1:]]


def all_environments() -> list[Environment]:
    return _environments(ALL_TESTS)


def _environments(tests: Sequence[str]) -> list[Environment]:
    """One for each interpreter; `make check` covers the one of the development environment, with newest libraries."""
    found = {version: python for version in SUPPORTED if (python := interpreter(version))}
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    oldest = next(iter(found), None)
    return [
        _environment(version, python, tests, oldest=version == oldest)
        for version, python in found.items()
        if version != here or version == oldest
    ]


def _environment(version: str, python: Path, tests: Sequence[str], *, oldest: bool) -> Environment:
    venv = MATRIX / version
    products = [lower_bound(name) if oldest else name for name in product_dependencies()]

    def install(installation: Installation) -> None:
        create_venv(installation, venv, [str(python)])
        installation.pip(
            venv_python(venv),
            *("install", "--upgrade", "--upgrade-strategy", "eager", "-r", SURROUNDINGS, *products),
        )

    kind = "oldest" if oldest else "newest"
    return Environment(
        version,
        Component(
            name=f"matrix-{version}",
            title=f"Python {version} with the {kind} libraries",
            stamp=venv / ".stamp",
            pins=lambda: "\n".join([str(python), file_texts(SURROUNDINGS), *products]),
            install=install,
            is_present=lambda: venv_python(venv).exists(),
        ),
        Step(
            f"unit tests, Python {version}, {kind}",
            (venv_python(venv), "-m", "pytest", *tests, "-p", "no:cacheprovider"),
            environment={"PROPERTY_CASES_TIMES": "0.1"},
        ),
    )


def lower_bound(requirement: str) -> str:
    """`openai>=1.99` as `openai==1.99`."""
    return re.sub(r">=", "==", requirement, count=1)


def interpreter(version: str) -> Path | None:
    """A working interpreter of that version: on PATH, or one that pyenv has."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    on_path = shutil.which(f"python{version}")
    candidates = [
        *([Path(on_path)] if on_path else []),
        *sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True),
        Path(f"/usr/bin/python{version}"),
    ]
    return next(
        (path for path in candidates if path.exists() and _can_make_environments(path, version)), None
    )


def _can_make_environments(python: Path, version: str) -> bool:
    code = "import sys, ensurepip, venv; print('%d.%d' % sys.version_info[:2])"
    ended = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return ended.stdout.strip() == version

"""`make check` and `make test`: which steps there are, and in which order they begin."""

from __future__ import annotations

import filecmp
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from dev import matrix
from dev.chromium import CHROMIUM
from dev.comfyui import COMFYUI_WITH_EXTENSION, FRONTEND, NEWER_FRONTEND, NEWER_FRONTEND_FILES
from dev.component import ensure, remove_folder
from dev.demonstration_model import service as demonstration_model
from dev.places import BIN, CACHE, DEV, ROOT, venv_python
from dev.python_tools import PANEL_PACKAGES, PYTHON_TOOLS
from dev.steps import Step, hermetic_environment, run_steps
from dev.templates import TEMPLATE_NODES, TEMPLATE_WORKFLOWS
from dev.vocabulary import TOKEN_VOCABULARY

PYTHON = venv_python(DEV)
NPM = BIN / "npm"
UI = ROOT / "ui"
BUILT = ROOT / "js"
HOST_TESTS = "tests/host"
POSTGRESQL_TESTS = "tests/postgresql"
FORMAT_MENDS = "`make format` mends what can be mended."
TODAYS_UNIT_TESTS = ("-m", "pytest", "tests", f"--ignore={HOST_TESTS}", f"--ignore={POSTGRESQL_TESTS}")
INVARIANTS = (
    "tests/context/test_invariants.py",
    "tests/context/test_invariants_machine.py",
    "tests/context/test_invariants_can_fail.py",
    "tests/chat/test_no_error_loses_anything.py",
)
WRITTEN_BY_PYTHON = ("tests/stream/test_contract_streams.py", "tests/tools/test_labels.py")
NIGHTLY_TIMES = 50

CHECK_NEEDS = (PYTHON_TOOLS, PANEL_PACKAGES, TOKEN_VOCABULARY)
HOST_NEEDS = (
    *CHECK_NEEDS,
    COMFYUI_WITH_EXTENSION,
    NEWER_FRONTEND_FILES,
    CHROMIUM,
    TEMPLATE_WORKFLOWS,
)


def quick_steps() -> list[Step]:
    return [
        Step("format", (PYTHON, "-m", "ruff", "format", "--check", "."), hint=FORMAT_MENDS),
        Step(
            "lint",
            (PYTHON, "-m", "ruff", "check", "--output-format", "concise", "."),
            hint="`make format` mends what can be mended.",
        ),
        Step("panel lint and format", (NPM, "run", "--silent", "lint"), UI, hint=FORMAT_MENDS),
        Step("panel types", (NPM, "run", "--silent", "check"), UI),
        Step("types", (PYTHON, "-m", "basedpyright")),
        Step("panel tests, contract", (NPM, "run", "--silent", "test"), UI),
    ]


def unit_step() -> Step:
    return Step("unit tests, Python 3.11", (PYTHON, *TODAYS_UNIT_TESTS))


def build_step() -> Step:
    return Step("js/ is a fresh build", stale_build, hint="run `make build` and commit js/.")


def host_step(frontend: str) -> Step:
    return Step(
        f"ComfyUI, frontend {frontend}",
        (PYTHON, "-m", "pytest", HOST_TESTS, f"--frontend={frontend}"),
        hint=f"look into .cache/screenshots; one test alone: make test-host ARGS='--frontend={frontend} -k name'",
    )


def check() -> bool:
    ensure(*CHECK_NEEDS)
    return run_steps([unit_step(), *quick_steps()])


def test() -> bool:
    ensure(*HOST_NEEDS)
    environments = matrix.environments()
    ensure(*(environment.component for environment in environments))
    demonstration_model.fetch("small")
    # The longest after what soon tells of a slip, so that no core waits for one at the end.
    return run_steps(
        [
            *quick_steps(),
            build_step(),
            *(host_step(frontend) for frontend in (FRONTEND, NEWER_FRONTEND)),
            unit_step(),
            *(environment.step for environment in environments),
        ]
    )


def test_host(arguments: Sequence[str]) -> bool:
    ensure(*HOST_NEEDS)
    demonstration_model.fetch("small")
    return _run(PYTHON, "-m", "pytest", HOST_TESTS, *arguments)


def test_local_model(arguments: Sequence[str]) -> bool:
    ensure(*HOST_NEEDS)
    demonstration_model.fetch("1.5b")
    return _run(PYTHON, "-m", "pytest", HOST_TESTS, "--demonstration-model", *arguments)


def test_templates(arguments: Sequence[str]) -> bool:
    ensure(*HOST_NEEDS, TEMPLATE_NODES)
    return _run(PYTHON, "-m", "pytest", HOST_TESTS, "--all-templates", *arguments)


def test_postgresql(arguments: Sequence[str]) -> bool:
    ensure(PYTHON_TOOLS)
    return _run(PYTHON, "-m", "pytest", POSTGRESQL_TESTS, *arguments)


def screenshots() -> bool:
    ensure(*HOST_NEEDS)
    return _run(PYTHON, "-m", "dev.screenshots")


def bench(arguments: Sequence[str]) -> bool:
    ensure(*CHECK_NEEDS)
    return _run(PYTHON, "-m", "bench", *arguments)


def bench_context(arguments: Sequence[str]) -> bool:
    ensure(PYTHON_TOOLS)
    return _run(PYTHON, "-m", "bench.context", *arguments)


def nightly(arguments: Sequence[str]) -> bool:
    ensure(PYTHON_TOOLS)
    return _run(
        PYTHON,
        "-m",
        "pytest",
        *INVARIANTS,
        *arguments,
        environment={"PROPERTY_CASES_TIMES": str(NIGHTLY_TIMES)},
    )


def format_code() -> bool:
    ensure(*CHECK_NEEDS)
    _run(PYTHON, "-m", "ruff", "check", "--fix", "--quiet", ".")
    return _run(PYTHON, "-m", "ruff", "format", "--quiet", ".") and _run(
        NPM, "run", "--silent", "format", cwd=UI
    )


def build() -> bool:
    ensure(PANEL_PACKAGES)
    return _run(NPM, "run", "--silent", "build", cwd=UI)


def contract() -> bool:
    ensure(*CHECK_NEEDS)
    return _run(NPM, "run", "--silent", "contract", cwd=UI) and _run(
        PYTHON, "-m", "pytest", *WRITTEN_BY_PYTHON, environment={"WRITE_CONTRACT": "1"}
    )


def _run(*command: str | Path, cwd: Path = ROOT, environment: Mapping[str, str] | None = None) -> bool:
    """Run with its output on the terminal."""
    environment = {**hermetic_environment(), **(environment or {})}
    return subprocess.run(command, cwd=cwd, env=environment, check=False).returncode == 0


def stale_build() -> str:
    """What differs between js/ and a build made now; nothing where they are equal."""
    fresh = CACHE / "fresh-build"
    remove_folder(fresh)
    built = subprocess.run(
        (NPM, "run", "--silent", "build", "--", "--outDir", fresh, "--logLevel", "error"),
        cwd=UI,
        env=hermetic_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        return f"The build failed.\n{built.stdout}{built.stderr}"
    return "\n".join(differences(BUILT, fresh))


def differences(committed: Path, fresh: Path) -> list[str]:
    def files(folder: Path) -> set[str]:
        return {os.path.relpath(path, folder) for path in folder.rglob("*") if path.is_file()}

    left, right = files(committed), files(fresh)
    _, changed, _ = filecmp.cmpfiles(committed, fresh, left & right, shallow=False)
    return [
        *(f"js/{name} is not part of a fresh build." for name in sorted(left - right)),
        *(f"js/{name} is missing." for name in sorted(right - left)),
        *(f"js/{name} differs from a fresh build." for name in sorted(changed)),
    ]

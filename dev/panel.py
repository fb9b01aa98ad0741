"""The panel's build, the contract between both halves, and whether what is committed of them is fresh."""

from __future__ import annotations

import filecmp
import os
import subprocess
from pathlib import Path

from dev.component import ensure, remove_folder
from dev.needs import CHECK_NEEDS, NPM, PYTHON
from dev.places import CACHE, ROOT
from dev.python_tools import PANEL_PACKAGES
from dev.steps import hermetic_environment, run_on_terminal

UI = ROOT / "ui"
BUILT = ROOT / "js"
WRITTEN_BY_PYTHON = (
    "tests/comfy/test_node_input.py",
    "tests/stream/test_contract_streams.py",
    "tests/tools/test_labels.py",
    "tests/base/test_tool_result.py",
    "tests/test_documented_bodies.py",
)


def build() -> bool:
    ensure(PANEL_PACKAGES)
    return run_on_terminal(NPM, "run", "--silent", "build", cwd=UI)


def contract() -> bool:
    ensure(*CHECK_NEEDS)
    return run_on_terminal(NPM, "run", "--silent", "contract", cwd=UI) and run_on_terminal(
        PYTHON, "-m", "pytest", *WRITTEN_BY_PYTHON, environment={"WRITE_CONTRACT": "1"}
    )


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

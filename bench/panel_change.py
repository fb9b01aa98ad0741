"""What a change of one line of the panel costs a clone of the repository: how much of `js/` is written anew."""

from __future__ import annotations

import filecmp
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dev.places import BIN, NODE_MODULES, ROOT
from dev.steps import hermetic_environment

CHANGED_FILE = "src/tools/arrangeNodes.ts"
BEFORE, AFTER = "Arrange some nodes", "Arrange a few nodes"


@dataclass(frozen=True)
class Change:
    """`rewritten` are bytes of files that are new or differ; `stored` is what git's packed history grows by."""

    rewritten: int
    stored: int


def change_of_one_line() -> Change:
    """Build the panel twice, with a word changed in what a tool is called in the chat in between, and commit both.

    Raises:
        RuntimeError: the line that is to be changed is no longer there.
    """
    with tempfile.TemporaryDirectory() as folder:
        panel, repository = Path(folder, "ui"), Path(folder, "repository")
        shutil.copytree(ROOT / "ui", panel, ignore=shutil.ignore_patterns("node_modules"))
        panel.joinpath("node_modules").symlink_to(NODE_MODULES)
        Path(folder, "contract").symlink_to(ROOT / "contract")
        repository.mkdir()
        _git(repository, "init", "--quiet")
        _build(panel, repository / "js")
        before = _commit(repository)
        shutil.copytree(repository / "js", Path(folder, "before"))
        source = panel / CHANGED_FILE
        text = source.read_text("utf-8")
        if BEFORE not in text:
            raise RuntimeError(
                f"{CHANGED_FILE} does not contain “{BEFORE}”; give bench/panel_change.py another line."
            )
        source.write_text(text.replace(BEFORE, AFTER), "utf-8")
        _build(panel, repository / "js")
        return Change(_rewritten(Path(folder, "before"), repository / "js"), _commit(repository) - before)


def _build(panel: Path, destination: Path) -> None:
    command = (BIN / "npm", "run", "--silent", "build", "--", "--outDir", destination, "--logLevel", "error")
    subprocess.run(command, cwd=panel, env=hermetic_environment(), check=True)


def _rewritten(before: Path, after: Path) -> int:
    names = [path.relative_to(after) for path in after.rglob("*") if path.is_file()]
    _, differ, missing = filecmp.cmpfiles(before, after, [str(name) for name in names], shallow=False)
    return sum(after.joinpath(name).stat().st_size for name in (*differ, *missing))


def _commit(repository: Path) -> int:
    """The bytes of the packed history with everything committed."""
    _git(repository, "add", "--all")
    _git(
        repository,
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@localhost",
        "commit",
        "--quiet",
        "-m",
        "js",
    )
    _git(repository, "repack", "-a", "-d", "--quiet")
    return sum(path.stat().st_size for path in (repository / ".git" / "objects" / "pack").glob("*.pack"))


def _git(repository: Path, *arguments: str) -> None:
    subprocess.run(("git", *arguments), cwd=repository, check=True)

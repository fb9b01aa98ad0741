"""How much code there is, by area, and what users install. `python -m bench.product_size REVISION` compares."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.report import Figure, Report
from dev.places import ROOT


def _is_panel_test(path: str) -> bool:
    """Tests, and the fakes and behaviours that stand beside the real thing for them."""
    name = path.rpartition("/")[2]
    return (
        ".test." in name
        or "/behaviours" in path
        or "/testing/" in path
        or name.startswith(("fake", "test", "random"))
    )


AREAS: Mapping[str, Callable[[str], bool]] = {
    "root modules": lambda path: "/" not in path and path.endswith(".py"),
    "engine/chat": lambda path: _python(path, "engine/chat/"),
    "engine/context": lambda path: _python(path, "engine/context/"),
    "engine/llm": lambda path: _python(path, "engine/llm/"),
    "engine/store": lambda path: _python(path, "engine/store/"),
    "engine, the rest": lambda path: _python(path, "engine/"),
    "ui/src/graph": lambda path: _panel(path, "ui/src/graph/"),
    "ui/src/tools": lambda path: _panel(path, "ui/src/tools/"),
    "ui/src/comfy": lambda path: _panel(path, "ui/src/comfy/"),
    "ui/src, the rest": lambda path: _panel(path, "ui/src/"),
    "ui, style sheets": lambda path: path.startswith("ui/") and path.endswith(".css"),
    "dev": lambda path: _python(path, "dev/"),
    "bench": lambda path: _python(path, "bench/"),
    "tests, Python": lambda path: _python(path, "tests/"),
    "tests and fakes, panel": lambda path: (
        path.startswith("ui/") and path.endswith((".ts", ".tsx")) and _is_panel_test(path)
    ),
}
"""A file counts in the first area that takes it."""

PRODUCT = tuple(AREAS)[:11]


def _python(path: str, folder: str) -> bool:
    return path.startswith(folder) and path.endswith(".py")


def _panel(path: str, folder: str) -> bool:
    return path.startswith(folder) and path.endswith((".ts", ".tsx")) and not _is_panel_test(path)


@dataclass(frozen=True)
class Sizes:
    """`lines` by area; `installed` are the files, and their bytes, that a package of the extension holds."""

    lines: Mapping[str, int]
    installed: int
    installed_bytes: int

    @property
    def product(self) -> int:
        return sum(self.lines[area] for area in PRODUCT)


def sizes_of(revision: str) -> Sizes:
    """What a commit holds, as git has it.

    Raises:
        subprocess.CalledProcessError: there is no such revision.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        archive = subprocess.run(
            ("git", "archive", revision), cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(("tar", "-x"), cwd=tree, input=archive, check=True)
        _git(tree, "init", "--quiet")
        _git(tree, "add", "--all", "--force")
        files = _git(tree, "ls-files", "-z").split("\0")[:-1]
        left_out = set(
            _git(tree, "ls-files", "-z", "--cached", "--ignored", "--exclude-from=.comfyignore").split("\0")
        )
        lines = dict.fromkeys(AREAS, 0)
        for path in files:
            area = next((name for name, takes in AREAS.items() if takes(path)), None)
            if area:
                lines[area] += len(tree.joinpath(path).read_text("utf-8").splitlines())
        installed = [tree / path for path in files if path not in left_out]
        return Sizes(lines, len(installed), sum(path.stat().st_size for path in installed))


def measure() -> Report:
    sizes = sizes_of("HEAD")
    return Report(
        name="product-size",
        title="Size of the product",
        how=(
            "Lines of the files in the newest commit, and what `.comfyignore` leaves of them for a package. "
            "`python -m bench.product_size REVISION` puts another commit beside it."
        ),
        figures=[
            *(Figure(f"{area}, lines", f"{lines:,}") for area, lines in sizes.lines.items()),
            Figure("product (all but dev, bench and tests), lines", f"{sizes.product:,}"),
            Figure("installed files", f"{sizes.installed:,}"),
            Figure("installed, raw", f"{sizes.installed_bytes / 1e6:,.2f} MB"),
        ],
    )


def compared(revision: str) -> str:
    before, after = sizes_of(revision), sizes_of("HEAD")
    rows = [
        *((area, before.lines[area], after.lines[area]) for area in AREAS),
        ("product, lines", before.product, after.product),
        ("installed files", before.installed, after.installed),
        ("installed, kB", before.installed_bytes // 1000, after.installed_bytes // 1000),
    ]
    return "\n".join(f"{name:<24} {old:>8,} {new:>8,} {new - old:>+8,}" for name, old, new in rows)


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(("git", *arguments), cwd=folder, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    print(compared(*sys.argv[1:2] or ("HEAD~1",)))

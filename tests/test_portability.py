"""A search of the sources for code that would fail on Windows or macOS."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = sorted([*ROOT.glob("*.py"), *ROOT.glob("engine/**/*.py")])

UNIX_MODULES = {"fcntl", "grp", "multiprocessing", "pty", "pwd", "resource", "select", "signal", "termios"}
UNIX_CALLS = {
    *("add_reader", "add_writer", "add_signal_handler", "remove_reader", "set_event_loop_policy"),
    *("fork", "forkpty", "getuid", "geteuid", "kill", "killpg", "mkfifo", "symlink", "symlink_to", "uname"),
    *("sched_getaffinity", "sendfile", "set_blocking", "sysconf", "umask", "wait4"),
}
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')


def tracked_files() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    return [name for name in listed.stdout.decode().split("\0") if name]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
def test_every_file_can_be_checked_out_on_every_system() -> None:
    names = tracked_files()
    assert names
    parts = {part for name in names for part in name.split("/")}
    assert sorted(part for part in parts if RESERVED.fullmatch(part) or FORBIDDEN.search(part)) == []
    alike = Counter(name.casefold() for name in names)
    assert [name for name, count in alike.items() if count > 1] == []
    assert max(map(len, names)) < 140, "Windows takes 260 characters, ComfyUI's own folder among them"


@pytest.mark.slow
def test_nothing_that_ships_needs_unix() -> None:
    for path in SHIPPED:
        tree = ForEverySystem().visit(ast.parse(path.read_text("utf-8")))
        assert sorted(imported(tree) & UNIX_MODULES) == [], path
        assert sorted(called(tree) & UNIX_CALLS) == [], path
        assert list(text_files_without_encoding(tree)) == [], path


class ForEverySystem(ast.NodeTransformer):
    """Leaves out what stands under a question for the system, which has a branch for Windows."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        asks = ast.unparse(node.test)
        if ("sys.platform" in asks or "os.name" in asks) and node.orelse:
            return None
        return self.generic_visit(node)


def imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def called(tree: ast.AST) -> set[str]:
    return {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }


def text_files_without_encoding(tree: ast.AST) -> Iterator[str]:
    """Calls that would read or write in the system's own encoding, which on Windows is not UTF-8."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        named = {keyword.arg for keyword in node.keywords}
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        constants = {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
        if name in ("read_text", "write_text") and "encoding" not in named and "utf-8" not in constants:
            yield f"line {node.lineno}: {name}"
        elif (
            name == "open" and is_of_files(node) and "encoding" not in named and not constants & {"rb", "wb"}
        ):
            yield f"line {node.lineno}: open"


def is_of_files(call: ast.Call) -> bool:
    """The built-in `open` and that of paths: others take no mode."""
    if isinstance(call.func, ast.Name):
        return True
    return any(
        isinstance(argument, ast.Constant) and argument.value in ("r", "w", "a", "x", "rb", "wb", "ab")
        for argument in call.args
    )


def test_every_module_can_be_imported() -> None:
    run_by_alembic = ROOT / "engine" / "store" / "migrations" / "env.py"
    for path in sorted({*(ROOT / "engine").rglob("*.py")} - {run_by_alembic}):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        importlib.import_module(f"comfyui_assistant.{name}")

"""The commands of `python -m dev`, by the names that the Makefile calls."""

from __future__ import annotations

from collections.abc import Callable

from dev import checks, panel, single_tests
from dev.component import ensure, remove_folder
from dev.model_table import write_model_table
from dev.needs import CHECK_NEEDS, HOST_NEEDS, NPM, PYTHON
from dev.node_fixture import record_nodes
from dev.places import CACHE, NODE_MODULES, ROOT, RUN, shown
from dev.release import prepare_release
from dev.run import demo, run
from dev.steps import run_on_terminal


def set_up() -> bool:
    ensure(*HOST_NEEDS)
    print("everything is set up")
    return True


def bench(*arguments: str) -> bool:
    ensure(*CHECK_NEEDS)
    return run_on_terminal(PYTHON, "-m", "bench", *arguments)


def screenshots() -> bool:
    ensure(*HOST_NEEDS)
    return run_on_terminal(PYTHON, "-m", "dev.screenshots")


def tool_cards() -> bool:
    ensure(*HOST_NEEDS)
    return run_on_terminal(PYTHON, "-m", "dev.tool_cards")


def format_code() -> bool:
    ensure(*CHECK_NEEDS)
    run_on_terminal(PYTHON, "-m", "ruff", "check", "--fix", "--quiet", ".")
    return run_on_terminal(PYTHON, "-m", "ruff", "format", "--quiet", ".") and run_on_terminal(
        NPM, "run", "--silent", "format", cwd=panel.UI
    )


def clean() -> bool:
    """Remove what set-up installed. Conversations and settings of `make run` stay."""
    kept = {RUN.name}
    removed = [path for path in sorted(CACHE.glob("*")) if path.name not in kept]
    for path in removed:
        if path.is_dir():
            remove_folder(path)
        else:
            path.unlink()
    remove_folder(NODE_MODULES)
    for folder in (".ruff_cache", ".pytest_cache", ".hypothesis"):
        remove_folder(ROOT / folder)
    print(
        f"removed {len(removed)} parts of {shown(CACHE)}; kept {shown(RUN)}, where your own threads and images are"
    )
    return True


COMMANDS: dict[str, Callable[..., bool]] = {
    "run": run,
    "demo": demo,
    "setup": set_up,
    "check": checks.check,
    "test": checks.test,
    "test-host": single_tests.test_host,
    "test-local-model": single_tests.test_local_model,
    "test-templates": single_tests.test_templates,
    "test-packs": single_tests.test_packs,
    "test-postgresql": single_tests.test_postgresql,
    "test-reloads": single_tests.test_reloads,
    "test-versions": checks.test_versions,
    "nightly": checks.nightly,
    "reliability": single_tests.reliability,
    "reliability-nightly": single_tests.reliability_nightly,
    "bench": bench,
    "screenshots": screenshots,
    "tool-cards": tool_cards,
    "contract": panel.contract,
    "build": panel.build,
    "release": prepare_release,
    "model-table": write_model_table,
    "record-nodes": record_nodes,
    "format": format_code,
    "clean": clean,
}

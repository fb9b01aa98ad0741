"""The commands of `python -m dev`, by the names that the Makefile calls."""

from __future__ import annotations

from collections.abc import Callable

from dev import checks
from dev.component import ensure, remove_folder
from dev.model_table import write_model_table
from dev.places import CACHE, NODE_MODULES, ROOT, RUN, shown
from dev.run import demo, run


def set_up() -> bool:
    ensure(*checks.HOST_NEEDS)
    print("everything is set up")
    return True


def test_host(*arguments: str) -> bool:
    return checks.test_host(arguments)


def test_local_model(*arguments: str) -> bool:
    return checks.test_local_model(arguments)


def test_templates(*arguments: str) -> bool:
    return checks.test_templates(arguments)


def test_postgresql(*arguments: str) -> bool:
    return checks.test_postgresql(arguments)


def bench(*arguments: str) -> bool:
    return checks.bench(arguments)


def bench_context(*arguments: str) -> bool:
    return checks.bench_context(arguments)


def nightly(*arguments: str) -> bool:
    return checks.nightly(arguments)


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
    "test-host": test_host,
    "test-local-model": test_local_model,
    "test-templates": test_templates,
    "test-postgresql": test_postgresql,
    "nightly": nightly,
    "bench": bench,
    "bench-context": bench_context,
    "screenshots": checks.screenshots,
    "contract": checks.contract,
    "build": checks.build,
    "model-table": write_model_table,
    "format": checks.format_code,
    "clean": clean,
}

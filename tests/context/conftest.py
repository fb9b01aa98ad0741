"""Says at the end of a nightly run how many planned requests were checked, and how many were wrong."""

from __future__ import annotations

from typing import Any

from .cases import TIMES
from .invariants import CHECKED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if TIMES == 1 or not CHECKED:
        return
    violations = len(terminalreporter.stats.get("failed", []))
    terminalreporter.write_sep("-", "planned requests")
    for test, count in sorted(CHECKED.items()):
        terminalreporter.write_line(f"{count:>10,} {test}")
    terminalreporter.write_line(f"{CHECKED.total():>10,} checked, {violations} violated an invariant")

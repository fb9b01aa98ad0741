"""Says at the end of a nightly run what was tried, what was checked, and what did not hold."""

from __future__ import annotations

from typing import Any

from ..cases import TIMES
from .tally import CASES, summary


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if TIMES <= 1 or not CASES:
        return
    terminalreporter.write_sep("-", "invariants of the context engine")
    for line in summary():
        terminalreporter.write_line(line)

"""What a benchmark found, as a table on the terminal and as a block of docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dev.places import ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"
INTRODUCTION = """# Benchmarks

Every figure is measured by a command of this repository, and each block below is written by it. `make bench` runs
all of them; `make bench ARGS=<name>` runs one. Times depend on the machine, which each block names: compare figures
of one block, and runs on one machine.
"""


@dataclass(frozen=True)
class Figure:
    """`is_time` tells that other programs on the machine lengthen it."""

    what: str
    measured: str
    goal: str = ""
    reached: bool | None = None
    is_time: bool = False

    def aside(self) -> str:
        return f"  (goal {self.goal}: {self.verdict()})" if self.goal else ""

    def verdict(self) -> str:
        return {None: "", True: "reached", False: "MISSED"}[self.reached]


@dataclass(frozen=True)
class Report:
    """One benchmark's result. `name` is what the command calls it, `how` a few sentences on the method.

    `table` is a whole table in Markdown, for what does not fit into single figures; `command` is named where it is
    not `make bench`.
    """

    name: str
    title: str
    how: str
    figures: Sequence[Figure]
    table: str = ""
    command: str = ""

    def missed(self) -> list[Figure]:
        return [figure for figure in self.figures if figure.reached is False]

    def as_text(self) -> str:
        width = max(len(figure.what) for figure in self.figures)
        lines = (f"  {figure.what:<{width}}  {figure.measured}{figure.aside()}" for figure in self.figures)
        return "\n".join([self.title, *lines, *(["", self.table] if self.table else [])])

    def as_markdown(self) -> str:
        rows = (
            f"| {figure.what} | {figure.measured} | {figure.goal or '–'} | {figure.verdict()} |"
            for figure in self.figures
        )
        return "\n".join(
            [
                f"## {self.title}",
                "",
                f"`{self.command or f'make bench ARGS={self.name}'}`, {date.today().isoformat()}, {machine()}",
                "",
                self.how,
                "",
                "| what | measured | goal | |",
                "|---|---|---|---|",
                *rows,
                *(["", self.table] if self.table else []),
            ]
        )

    def write(self, document: Path = DOCUMENT, *, introduction: str = INTRODUCTION) -> None:
        text = document.read_text() if document.exists() else introduction
        document.parent.mkdir(parents=True, exist_ok=True)
        document.write_text(with_block(text, self.name, self.as_markdown()))


def with_block(text: str, name: str, block: str) -> str:
    """The text with the block of that name replaced, or added at the end."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    new = f"{start}\n{block}\n{end}"
    pattern = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
    if pattern.search(text):
        return pattern.sub(lambda _: new, text)
    return f"{text.rstrip()}\n\n{new}\n"


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def at_most(what: str, measured: float, goal: float, unit: str, digits: int = 1) -> Figure:
    return Figure(
        what,
        f"{measured:,.{digits}f} {unit}",
        goal=f"≤ {goal:,g} {unit}",
        reached=measured <= goal,
        is_time=unit in ("s", "ms"),
    )


def none_of(what: str, lost: int, of: int) -> Figure:
    return Figure(what, f"{lost:,} of {of:,}", goal="0", reached=lost == 0)

"""What was found of each pack on each frontend: kept beside this file, printed, and written into docs/benchmarks.md."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from bench.report import Figure, Report
from tests.host import pack_questions
from tests.host.pack_edits import KINDS, Tried
from tests.host.pack_questions import RunTwice
from tests.host.pack_trial import Verdict

RESULTS = Path(__file__).with_suffix(".json")
"""Committed, so that a run of one pack, on whichever machine, leaves what is known of the others."""
HOW = (
    "Real packs, checked out beside the repository, all in one ComfyUI. Each example workflow of a pack is read, "
    "applied in place and into an empty graph, checked, edited (a number of up to ten of its nodes) and undone, "
    "and the prompts that ComfyUI's page makes are compared. An example of which the page makes no prompt, or "
    "which it does not load whole by itself, counts as not comparable; one that is applied as ComfyUI itself saves "
    "and opens it again is counted apart. A "
    "problem that was told is true where ComfyUI's server, asked for that node alone, refuses the same input; it "
    "cannot judge where node types are missing, nor choices that it looks at only when the node runs. On up to "
    "ten node types of each pack every kind of edit is made and undone, and the prompt has to become what the "
    "edit says and nothing else. Beside the panel: a turn with a node of the pack, undone, without an error in "
    "the page that comes from us; beside a pack of which ComfyUI tells no node type, with one of ComfyUI's own. "
    "Before a run: each example is run twice in one chat in Auto mode, with a queue that is held; before each pack no "
    "package is trusted. A question about packages is answered with Always, another one with no; one about both "
    "counts as both."
)
HEAD = (
    "| pack | commit | frontend | run on | examples | not comparable | false alarms | edits in them | edits | types "
    "| panel |"
)


@dataclass
class Row:
    """Of one pack on one frontend."""

    pack: str
    version: str
    frontend: str
    day: str
    examples: int = 0
    compared: int = 0
    right: int = 0
    reopened: int = 0
    alarms: int = 0
    false_alarms: int = 0
    unknown_alarms: int = 0
    example_edits: int = 0
    wrong_example_edits: int = 0
    not_compared: list[str] = field(default_factory=list)
    types: int | None = None
    """On how many edits were tried; None before they were."""
    skipped: list[str] = field(default_factory=list)
    edits: dict[str, list[int]] = field(default_factory=dict)
    """By kind: how many were right, of how many."""
    panel: str = "not tried"
    asked_on: str = ""
    runs: int = 0
    """Examples that were run twice, to see what is asked."""
    not_run: list[str] = field(default_factory=list)
    packages: int = 0
    """That were asked about."""
    asked: dict[str, list[int]] = field(default_factory=dict)
    """By kind, and in all: how many questions before the first run of an example, and before the second."""


def version_of(folder: Path) -> str:
    """The commit of a pack that was checked out."""
    command = ["git", "-C", str(folder), "log", "-1", "--format=%h %cs"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() if (folder / ".git").exists() else "unknown"


@dataclass
class Results:
    rows: dict[str, Row] = field(default_factory=dict)
    """By pack and frontend."""
    searches: dict[str, list[int]] = field(default_factory=dict)
    """By frontend and which queries: among how many node types, how many queries are answered, of how many."""

    @classmethod
    def read(cls, path: Path = RESULTS) -> Results:
        if not path.exists():
            return cls()
        kept = json.loads(path.read_text("utf-8"))
        rows = [Row(**each) for each in kept["rows"]]
        return cls({f"{row.pack} {row.frontend}": row for row in rows}, kept["searches"])

    def write(self, path: Path = RESULTS) -> None:
        rows = [asdict(self.rows[key]) for key in sorted(self.rows, key=str.lower)]
        path.write_text(json.dumps({"rows": rows, "searches": self.searches}, indent=1) + "\n", "utf-8")


def note(
    pack: str,
    folder: Path,
    frontend: str,
    changes: Mapping[str, object],
    *,
    day: str = "day",
    path: Path = RESULTS,
) -> Row:
    """Changes what is known of it, and the day of that. What was found of the rest stays."""
    results = Results.read(path)
    row = results.rows.setdefault(f"{pack} {frontend}", Row(pack, "", frontend, ""))
    row.version = version_of(folder / pack)
    for name, value in {**changes, day: date.today().isoformat()}.items():
        setattr(row, name, value)
    results.write(path)
    return row


def note_search(queries: str, types: int, found: int, of: int, *, path: Path = RESULTS) -> None:
    """Unless it is known of more queries: those for packs that are not there are not made."""
    results = Results.read(path)
    if of >= results.searches.get(queries, [0, 0, 0])[2]:
        results.searches[queries] = [types, found, of]
        results.write(path)


def of_examples(verdicts: Sequence[Verdict]) -> dict[str, object]:
    compared = [each for each in verdicts if not each.not_compared]
    places = [found.where for each in verdicts for found in each.findings]
    return {
        "examples": len(verdicts),
        "compared": len(compared),
        "right": sum(not each.findings for each in compared),
        "reopened": sum(each.reopened for each in compared),
        "alarms": sum(each.alarms for each in verdicts),
        "false_alarms": places.count("validate"),
        "unknown_alarms": sum(each.unknown_alarms for each in verdicts),
        "example_edits": sum(each.edits for each in verdicts),
        "wrong_example_edits": places.count("edit"),
        "not_compared": [f"{each.name}: {each.not_compared}" for each in verdicts if each.not_compared],
    }


def of_edits(tried: Mapping[str, Sequence[Tried]], skipped: Mapping[str, str]) -> dict[str, object]:
    every = [each for edits in tried.values() for each in edits]
    return {
        "types": len(tried),
        "skipped": [f"{node_type}: {why}" for node_type, why in skipped.items()],
        "edits": {
            kind: [sum(not each.wrong for each in of_kind), len(of_kind)]
            for kind in KINDS
            if (of_kind := [each for each in every if each.kind == kind])
        },
    }


def of_questions(runs: Sequence[RunTwice]) -> dict[str, object]:
    asked = [run.questions for run in runs]
    packages = {name for each in asked for time in each for one in time for name in one.packages}
    return {
        "runs": sum(not run.not_run for run in runs),
        "not_run": [f"{run.name}: {run.not_run}" for run in runs if run.not_run],
        "packages": len(packages),
        "asked": {
            "all": [sum(len(each[time]) for each in asked) for time in (0, 1)],
            **{
                kind: [sum(run.count(kind)[time] for run in runs) for time in (0, 1)]
                for kind in pack_questions.KINDS
            },
        },
    }


def as_text(row: Row) -> str:
    lines = [
        f"{row.pack} ({row.version}) on {row.frontend}:",
        f"  examples: {row.right} of {row.compared} that can be compared are right,"
        f" {row.reopened} of them as ComfyUI itself reopens them; {len(row.not_compared)} cannot be compared",
        f"  problems told: {row.alarms} true, {row.false_alarms} false, {row.unknown_alarms} that ComfyUI cannot judge",
        f"  edits in examples: {row.example_edits - row.wrong_example_edits} of {row.example_edits} right",
        f"  edits of node types: {_edits_as_text(row)}",
        f"  beside the panel: {row.panel}",
        f"  asked before the first and the second run of {row.runs}: {row.asked or 'not tried'}",
    ]
    left_out = [
        *(f"  not compared: {each[:200]}" for each in row.not_compared),
        *(f"  not run: {each[:200]}" for each in row.not_run),
    ]
    return "\n".join([*lines, *left_out])


def _edits_as_text(row: Row) -> str:
    if row.types is None:
        return "not tried yet"
    if not row.types and not row.skipped:
        return "NONE, since ComfyUI tells of no node type of it"
    edits = ", ".join(f"{kind} {right}/{all_}" for kind, (right, all_) in row.edits.items())
    return f"{edits or 'none'}, on {row.types}; {len(row.skipped)} skipped"


def write_block() -> None:
    results = Results.read()
    rows = sorted(results.rows.values(), key=lambda row: (row.frontend, row.pack.lower()))
    edits = [count for row in rows for count in row.edits.values()]
    Report(
        "packs",
        "Beside real node packs",
        HOW,
        [
            _figure("examples as they must be", [[row.right, row.compared] for row in rows]),
            Figure("examples that cannot be compared", str(sum(len(row.not_compared) for row in rows))),
            Figure("of the right ones, as ComfyUI reopens them", str(sum(row.reopened for row in rows))),
            _none("false alarms", sum(row.false_alarms for row in rows)),
            Figure("problems told that ComfyUI finds, too", str(sum(row.alarms for row in rows))),
            Figure("problems that ComfyUI cannot judge", str(sum(row.unknown_alarms for row in rows))),
            _figure(
                "edits in examples",
                [[row.example_edits - row.wrong_example_edits, row.example_edits] for row in rows],
            ),
            _figure("edits of node types, undoing each included", edits),
            _figure(
                "packs beside the panel",
                [[row.panel == "right", 1] for row in rows if row.panel != "not tried"],
            ),
            *(_search(queries, *counts) for queries, counts in sorted(results.searches.items())),
            *(
                figure
                for frontend in sorted({row.frontend for row in rows if row.runs})
                for figure in _questions(frontend, [row for row in rows if row.frontend == frontend])
            ),
        ],
        table=_table(rows),
        command="make test-packs PACKS=<folder>",
    ).write()


def _figure(what: str, counts: Sequence[Sequence[int]]) -> Figure:
    right, all_ = (sum(count[index] for count in counts) for index in (0, 1))
    return Figure(what, f"{right:,} of {all_:,}", goal="all", reached=right == all_)


def _search(queries: str, types: int, found: int, of: int) -> Figure:
    what = f"queries for nodes of packs among {types:,} types, top 3, {queries}"
    return Figure(what, f"{found} of {of}", goal="≥ 80 %", reached=found >= 0.8 * of)


def _questions(frontend: str, rows: Sequence[Row]) -> list[Figure]:
    runs, packages = sum(row.runs for row in rows), sum(row.packages for row in rows)

    def asked(kind: str, time: int) -> int:
        return sum(row.asked[kind][time] for row in rows if row.asked)

    def figure(what: str, measured: str, most: int | None = None, count: int = 0) -> Figure:
        goal, is_reached = ("", None) if most is None else (f"≤ {most}" if most else "0", count <= most)
        return Figure(f"{what}, {frontend}", measured, goal=goal, reached=is_reached)

    def others(time: int) -> str:
        return f"{asked('cost', time)} and {asked('acts', time)}"

    def in_all(time: int) -> str:
        return f"{asked('all', time)} ({asked('all', time) / runs:.2f} an example)"

    first, second = asked("package", 0), asked("package", 1)
    return [
        figure("examples run twice in Auto mode", str(runs)),
        figure("questions before the first run", in_all(0)),
        figure(f"of these about packages, of which {packages} are new", str(first), packages, first),
        figure("of these about what costs, and what acts or names a way out", others(0)),
        figure("questions before the second run", in_all(1)),
        figure("of these about packages again", str(second), 0, second),
        figure("of these about what costs, and what acts or names a way out, again", others(1)),
    ]


def _none(what: str, count: int) -> Figure:
    return Figure(what, str(count), goal="0", reached=count == 0)


def _table(rows: Sequence[Row]) -> str:
    def line(row: Row) -> str:
        right, all_ = (sum(count[index] for count in row.edits.values()) for index in (0, 1))
        cells = (
            row.pack,
            row.version,
            row.frontend,
            row.day,
            f"{row.right}/{row.compared}",
            str(len(row.not_compared)),
            f"{row.false_alarms}/{row.false_alarms + row.alarms + row.unknown_alarms}",
            f"{row.example_edits - row.wrong_example_edits}/{row.example_edits}",
            f"{right}/{all_}",
            str(row.types or "none"),
            row.panel,
        )
        return f"| {' | '.join(cells)} |"

    return "\n".join([HEAD, f"|{'---|' * 11}", *map(line, rows)])

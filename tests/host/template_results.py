"""What was found of all official templates, kept beside this file and written into docs/benchmarks.md."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from bench.report import Figure, Report
from tests.host.template_trial import TemplateTrial

RESULTS = Path(__file__).parent / "template_results.json"
HEAD = "| ComfyUI | frontend | templates | day | read and built anew | false problems | edited and undone |"
HOW = (
    "Every official template whose nodes the ComfyUI has, in its real page: read as lines, cleared and built anew "
    "from them, so that the page's prompt is the same but for ids; checked, where a problem counts as false if "
    "ComfyUI's server takes the node all the same, and as unchecked if it is about a choice at which that server "
    "never looks (0.3.75: those of all newer nodes; later: those that bring inputs); one number edited and taken "
    "back. Files that templates choose are there, empty, for loaders of 0.3.75. `own` are the templates that a "
    "ComfyUI comes with; left out are those that the page itself fails to open. The camera of a 3D viewer is no value "
    "of its node and not compared."
)


@dataclass
class TemplateResults:
    templates: int = 0
    same: int = 0
    false_problems: int = 0
    problems: int = 0
    unchecked: int = 0
    edited: int = 0
    right_edits: int = 0
    not_opened: int = 0
    """By ComfyUI's page itself; these are not among `templates`."""
    day: str = ""

    def add(self, trial: TemplateTrial) -> None:
        self.templates += 1
        self.same += not trial.otherwise
        self.false_problems += len(trial.false_problems)
        self.problems += trial.problems
        self.unchecked += trial.unchecked
        self.edited += trial.has_edit
        self.right_edits += trial.has_edit and not trial.edit


def note(
    version: str, frontend: str, package_set: str, results: TemplateResults, *, path: Path = RESULTS
) -> None:
    """Replaces what was known of these templates on this ComfyUI and frontend, and writes the block."""
    results.day = date.today().isoformat()
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known[" ".join((version, frontend, package_set))] = asdict(results)
    path.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")
    report(known).write()


def report(known: dict[str, dict[str, object]]) -> Report:
    rows = [(*key.split(" "), TemplateResults(**each)) for key, each in sorted(known.items())]  # type: ignore[arg-type]
    results = [row[-1] for row in rows]
    templates = sum(each.templates for each in results)
    same, edited = sum(each.same for each in results), sum(each.edited for each in results)
    right = sum(each.right_edits for each in results)
    false_problems = sum(each.false_problems for each in results)
    return Report(
        "templates",
        "All official templates",
        HOW,
        [
            Figure(
                "run the same after the compact form", f"{same:,} of {templates:,}", "all", same == templates
            ),
            Figure("false problems", str(false_problems), "0", false_problems == 0),
            Figure(
                "edits as asked, and taken back whole", f"{right:,} of {edited:,}", "all", right == edited
            ),
        ],
        table="\n".join([HEAD, f"|{'---|' * 7}", *(_line(*row) for row in rows)]),
        command="make test-templates",
    )


def _line(version: str, frontend: str, package_set: str, results: TemplateResults) -> str:
    unchecked = f" ({results.unchecked} unchecked)" if results.unchecked else ""
    left_out = f" ({results.not_opened} not opened)" if results.not_opened else ""
    cells = (
        version,
        frontend,
        package_set + left_out,
        results.day,
        f"{results.same}/{results.templates}",
        f"{results.false_problems}/{results.problems}{unchecked}",
        f"{results.right_edits}/{results.edited}",
    )
    return f"| {' | '.join(cells)} |"

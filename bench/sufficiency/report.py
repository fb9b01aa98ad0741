"""How many jobs of each kind come out right at each window, beside an earlier commit."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.report import Figure, Report
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.component import ensure
from dev.templates import TEMPLATE_NODES, TEMPLATE_WORKFLOWS
from tests.host.bridge import bundle_bridge

from .run import outcomes, prepare

WINDOWS = (8_192, 12_288, 16_384, 32_768, 65_536, 131_072)
GOALS = {12_288: 0.90, 16_384: 1.0, 32_768: 1.0, 65_536: 1.0, 131_072: 1.0}
OF_EACH_KIND = 6
TEMPLATE_STEP = 3
BEFORE = Path(__file__).parent / "before.json"

Scores = Mapping[str, Mapping[int, tuple[int, int]]]
"""By kind and window: how many were done right, of how many."""


def run_all(
    windows: Sequence[int] | None = None,
    *,
    revision: str | None = None,
    only: str = "",
    prints_jobs: bool = False,
) -> Scores:
    ensure(COMFYUI_WITH_EXTENSION, TEMPLATE_WORKFLOWS, TEMPLATE_NODES, chromium.CHROMIUM)
    scores: dict[str, dict[int, tuple[int, int]]] = {}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        script = bundle_bridge(Path(folder) / "bridge.js")
        jobs, workflows = prepare(browser, script, every=TEMPLATE_STEP, of_each_kind=OF_EACH_KIND)
        jobs = [job for job in jobs if only in job.kind]
        for window in windows or WINDOWS:
            for outcome in outcomes(browser, script, jobs, workflows, window=window, revision=revision):
                right, all_of_them = scores.setdefault(outcome.job.kind, {}).get(window, (0, 0))
                scores[outcome.job.kind][window] = (right + (outcome.wrong is None), all_of_them + 1)
                if prints_jobs:
                    print(f"{window:>7}  {outcome.job.name}: {outcome.wrong or 'right'}", flush=True)
        browser.close()
    return scores


def measure() -> Report:
    scores = run_all(prints_jobs=True)
    before = json.loads(BEFORE.read_text("utf-8"))
    earlier = {
        kind: {int(window): tuple(score) for window, score in row.items()}
        for kind, row in before["scores"].items()
    }
    count = sum(row[WINDOWS[-1]][1] for row in scores.values())
    return Report(
        name="sufficiency",
        title="Is what a model is shown enough for the job?",
        how=(
            f"{count} jobs of ten kinds over official templates and merged ones of up to 300 nodes, in ComfyUI's "
            "page, from the panel to the graph. In the model's place sits a program that knows ComfyUI and has "
            "nothing but the messages and tools of each request. Judged by what ComfyUI would run afterwards, for "
            f"questions by the answer. In brackets commit {before['revision']}: `python -m bench.sufficiency "
            f"{before['revision']}`."
        ),
        figures=[_figure(window, scores, earlier) for window in WINDOWS],
        table=table(scores, earlier),
    )


def _figure(window: int, scores: Scores, earlier: Scores) -> Figure:
    share, old = share_right(scores, window), share_right(earlier, window)
    goal = GOALS.get(window)
    return Figure(
        f"window of {window:,} tokens, done right",
        f"{share:.0%} ({old:.0%})",
        goal=f"≥ {goal:.0%}" if goal else "",
        reached=None if goal is None else share >= goal,
    )


def share_right(scores: Scores, window: int) -> float:
    cells = [row[window] for row in scores.values() if window in row]
    return sum(right for right, _ in cells) / max(1, sum(count for _, count in cells))


def table(scores: Scores, earlier: Scores) -> str:
    heads = [f"{window // 1024}k" for window in WINDOWS]
    rows = [
        "| " + " | ".join([kind, *(_cell(row, earlier.get(kind, {}), window) for window in WINDOWS)]) + " |"
        for kind, row in sorted(scores.items())
    ]
    return "\n".join([f"| job | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|", *rows])


def _cell(row: Mapping[int, tuple[int, int]], earlier: Mapping[int, tuple[int, int]], window: int) -> str:
    if window not in row:
        return "–"
    right, count = row[window]
    old = f" ({earlier[window][0]})" if window in earlier else ""
    return f"{right} of {count}{old}"


def keep_before(revision: str, scores: Scores) -> None:
    BEFORE.write_text(json.dumps({"revision": revision, "scores": scores}, indent=1, sort_keys=True) + "\n")

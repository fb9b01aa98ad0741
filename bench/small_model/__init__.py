"""Everyday requests to the demonstration model in ComfyUI's page: `make bench ARGS=small-model`."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from bench.report import Figure, Report
from bench.small_model.judge import faults
from bench.small_model.play import opened_page, play
from bench.small_model.requests import EVERYDAY, Request, read_requests
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.component import SetUpFailed, ensure
from dev.demonstration_model import service
from dev.places import LOGS, ROOT
from dev.templates import TEMPLATE_NODES
from tests.host.served_model import serving

GOAL_OF_ALL = 75
GOALS = {"value and text": 85, "question": 80, "suggestion": 100}
MEDIAN_SECONDS, LONGEST_SECONDS = 8, 40
SAMPLE = 24
SECONDS_OF_ALL, SECONDS_OF_EVERYDAY, SECONDS_BESIDE = 900, 480, 240
EARLIER = "324b3e2"
"""Before small models were shown the workflow and its values by name."""
FULL_WINDOW = 16_384
FULL_PROFILE = {
    "COMFYUI_ASSISTANT_PROFILE": "full",
    "COMFYUI_ASSISTANT_CONTEXT_WINDOW": str(FULL_WINDOW),
}


@dataclass(frozen=True)
class Outcome:
    number: int
    kind: str
    is_held_out: bool
    is_right: bool
    seconds: float


def measure() -> Report:
    """`SMALL_MODEL_THREADS=1` is faster where others use the cores."""
    ensure(COMFYUI_WITH_EXTENSION, TEMPLATE_NODES, chromium.CHROMIUM)
    service.fetch("1.5b")
    held_out = [request for request in read_requests() if request.is_held_out]
    sample = held_out[:: len(held_out) // SAMPLE]
    threads = os.environ.get("SMALL_MODEL_THREADS")
    options = ("--threads", threads) if threads else ()
    with tempfile.TemporaryDirectory() as folder:
        earlier = _earlier(Path(folder))
        with _serving(*options) as port:
            print(f"# {len(held_out)} requests that are held out", flush=True)
            outcomes = play_all(held_out, port=port, seconds=SECONDS_OF_ALL)
            others = [request for request in read_requests(EVERYDAY) if request.is_held_out]
            print(f"# {len(others)} as people type them, held out", flush=True)
            everyday = play_all(others, port=port, seconds=SECONDS_OF_EVERYDAY)
            print(f"# {len(sample)} of them, commit {EARLIER}", flush=True)
            before = _beside(sample, port=port, extension=earlier) if earlier else []
        with _serving(*options, "--window", str(FULL_WINDOW)) as port:
            print(f"# {len(sample)} of them, full profile at {FULL_WINDOW}", flush=True)
            full = _beside(sample, port=port, environment=FULL_PROFILE)
    compared = {
        "all": outcomes,
        "the sample": [each for each in outcomes if each.number in {request.number for request in sample}],
        f"the sample, full profile, {FULL_WINDOW:,} tokens": full,
        f"the sample, commit {EARLIER}": before,
    }
    return Report(
        name="small-model",
        title="Everyday requests to the demonstration model",
        how=(
            f"{len(outcomes)} requests over five workflows (ComfyUI's default one, and official templates for SDXL, "
            "image to image, LoRA and video), each in a chat of its own in ComfyUI's real page, with Qwen2.5-Coder "
            "1.5B on this machine's processor. What became of each is judged by the graph afterwards, questions by the "
            "facts in the answer. They are the held-out half of all: nobody who works on the product reads what became "
            f"of them ({len(held_out)}). "
            f"The second table has {len(everyday)} of another set, as people type them (with slips, thanks, several "
            "languages and two wishes in one message), over three workflows that the first set does not use; they are "
            f"its held-out half ({len(others)}). The third table has a sample of {len(sample)} of the first set in "
            "other conditions, for at most "
            f"{SECONDS_BESIDE // 60} minutes each."
            + (f" The model ran with {threads} thread{'' if threads == '1' else 's'}." if threads else "")
        ),
        figures=[
            *_figures(outcomes),
            _share("as people type them, right by the graph", everyday, GOAL_OF_ALL),
        ],
        table="\n\n".join([kinds_table(outcomes), kinds_table(everyday), conditions_table(compared)]),
    )


def _beside(sample: Sequence[Request], **conditions: Any) -> list[Outcome]:
    """What goes wrong here does not cost the figures that are measured already."""
    try:
        return play_all(sample, seconds=SECONDS_BESIDE, **conditions)
    except (PlaywrightError, AssertionError, OSError, SetUpFailed):
        traceback.print_exc()
        return []


def _serving(*options: str) -> contextlib.AbstractContextManager[int]:
    return serving("1.5b", *options, log=LOGS / "small-model.log")


def _earlier(folder: Path) -> Path | None:
    """That commit's files, ready to be an extension; None where this is no clone that has it."""
    archive = folder / "earlier.tar"
    command = ["git", "archive", "--output", archive, EARLIER]
    if subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode:
        return None
    shutil.unpack_archive(archive, folder / "earlier", filter="data")
    return folder / "earlier"


def play_all(
    requests: Sequence[Request],
    *,
    port: int,
    extension: Path = ROOT,
    environment: dict[str, str] | None = None,
    seconds: float = float("inf"),
) -> list[Outcome]:
    """Those that were begun within so many seconds, each printed as it comes."""
    settings = {**service.settings("1.5b", port), **(environment or {})}
    outcomes = []
    with (
        tempfile.TemporaryDirectory() as folder,
        opened_page(Path(folder), settings, extension=extension) as (comfy, panel),
    ):
        # As `make run` does it: the model has read what begins every request before a person asks.
        service.warm_up(comfy.url)
        end = time.monotonic() + seconds
        for request in requests:
            if time.monotonic() > end:
                break
            played = play(comfy, panel, request)
            found = faults(request, played)
            outcome = Outcome(
                request.number,
                request.kind,
                request.is_held_out,
                not found,
                played.seconds,
            )
            outcomes.append(outcome)
            told = (
                ""
                if request.is_held_out
                else f" {request.text!r} {'; '.join(found)}\n    {played.calls} {played.answer!r}"
            )
            print(f"{json.dumps(asdict(outcome))}{told}", flush=True)
    return outcomes


def _figures(outcomes: Sequence[Outcome]) -> list[Figure]:
    seconds = [each.seconds for each in outcomes] or [0.0]
    changes = [each for each in outcomes if each.kind in ("value", "text")]
    groups = {
        "value and text": changes,
        **{kind: [each for each in outcomes if each.kind == kind] for kind in ("question", "suggestion")},
    }
    return [
        _share("held out, right by the graph", outcomes, GOAL_OF_ALL),
        *(_share(f"held out, {kind}", group, GOALS[kind]) for kind, group in groups.items()),
        _seconds("held out, median", statistics.median(seconds), MEDIAN_SECONDS),
        _seconds("held out, longest", max(seconds), LONGEST_SECONDS),
    ]


def _share(what: str, outcomes: Sequence[Outcome], goal: int) -> Figure:
    right = sum(each.is_right for each in outcomes)
    share = 100 * right / len(outcomes) if outcomes else 0.0
    return Figure(what, f"{right} of {len(outcomes)}, {share:.0f} %", f"≥ {goal} %", share >= goal)


def _seconds(what: str, seconds: float, goal: int) -> Figure:
    return Figure(what, f"{seconds:.1f} s", f"≤ {goal} s", seconds <= goal)


def kinds_table(outcomes: Sequence[Outcome]) -> str:
    lines = ["| kind | right | median s | longest s |", "|---|--:|--:|--:|"]
    kinds = dict.fromkeys(each.kind for each in outcomes)
    return "\n".join(
        [*lines, *(_row(kind, [each for each in outcomes if each.kind == kind]) for kind in kinds)]
    )


def conditions_table(compared: Mapping[str, Sequence[Outcome]]) -> str:
    lines = ["| with | right | median s | longest s |", "|---|--:|--:|--:|"]
    return "\n".join([*lines, *(_row(name, outcomes) for name, outcomes in compared.items())])


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    seconds = [each.seconds for each in outcomes] or [0.0]
    right = sum(each.is_right for each in outcomes)
    return f"| {name} | {right} of {len(outcomes)} | {statistics.median(seconds):.1f} | {max(seconds):.1f} |"

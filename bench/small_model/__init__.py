"""Everyday requests to the demonstration model in ComfyUI's page: `make bench ARGS=small-model`."""

from __future__ import annotations

import json
import os
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.report import Figure, Report
from bench.small_model.judge import claims_in_vain, faults
from bench.small_model.play import opened_page, play
from bench.small_model.requests import Request, read_requests
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.component import ensure
from dev.demonstration_model import service
from dev.places import LOGS, ROOT
from dev.templates import TEMPLATE_NODES
from tests.host.served_model import serving

GOAL_OF_ALL = 75
GOALS = {"value and text": 85, "question": 80, "suggestion": 100}
MEDIAN_SECONDS, LONGEST_SECONDS = 8, 40


@dataclass(frozen=True)
class Outcome:
    number: int
    kind: str
    is_held_out: bool
    is_right: bool
    claims_in_vain: bool
    seconds: float


def measure() -> Report:
    """`SMALL_MODEL_THREADS=1` is faster where others use the cores; `SMALL_MODEL_NUMBERS=1-40` makes a part of them."""
    ensure(COMFYUI_WITH_EXTENSION, TEMPLATE_NODES, chromium.CHROMIUM)
    service.fetch("1.5b")
    threads = os.environ.get("SMALL_MODEL_THREADS")
    log = LOGS / "small-model.log"
    with serving("1.5b", *(("--threads", threads) if threads else ()), log=log) as port:
        outcomes = play_all(_chosen(), port=port)
    return Report(
        name="small-model",
        title="Everyday requests to the demonstration model",
        how=(
            f"{len(outcomes)} requests over five workflows (ComfyUI's default one, and official templates for SDXL, "
            "image to image, LoRA and video), each in a chat of its own in ComfyUI's real page, with Qwen2.5-Coder "
            "1.5B on this machine's processor. What became of each is judged by the graph afterwards, questions by the "
            "facts in the answer. Every second request is held out: nobody who works on the product reads what became "
            "of it. A claim in vain says that something was done that no call did, and stands uncontradicted."
            + (f" The model ran with {threads} thread{'' if threads == '1' else 's'}." if threads else "")
        ),
        figures=[*_figures([each for each in outcomes if each.is_held_out])],
        table=_table(outcomes),
    )


def play_all(
    requests: Sequence[Request],
    *,
    port: int,
    extension: Path = ROOT,
    environment: dict[str, str] | None = None,
) -> list[Outcome]:
    settings = {**service.settings("1.5b", port), **(environment or {})}
    outcomes = []
    with (
        tempfile.TemporaryDirectory() as folder,
        opened_page(Path(folder), settings, extension=extension) as (comfy, panel),
    ):
        # As `make run` does it: the model has read what begins every request before a person asks.
        service.warm_up(comfy.url)
        for request in requests:
            played = play(comfy, panel, request)
            found = faults(request, played)
            outcome = Outcome(
                request.number,
                request.kind,
                request.is_held_out,
                not found,
                claims_in_vain(request, played),
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


def _chosen() -> list[Request]:
    first, _, last = os.environ.get("SMALL_MODEL_NUMBERS", "0-9999").partition("-")
    return [request for request in read_requests() if int(first) <= request.number <= int(last or first)]


def _figures(outcomes: Sequence[Outcome]) -> list[Figure]:
    seconds = [each.seconds for each in outcomes] or [0.0]
    in_vain = sum(each.claims_in_vain for each in outcomes)
    changes = [each for each in outcomes if each.kind in ("value", "text")]
    groups = {
        "value and text": changes,
        **{kind: [each for each in outcomes if each.kind == kind] for kind in ("question", "suggestion")},
    }
    return [
        _share("held out, right by the graph", outcomes, GOAL_OF_ALL),
        *(_share(f"held out, {kind}", group, GOALS[kind]) for kind, group in groups.items()),
        Figure("held out, claims in vain", str(in_vain), "0", in_vain == 0),
        _seconds("held out, median", statistics.median(seconds), MEDIAN_SECONDS),
        _seconds("held out, longest", max(seconds), LONGEST_SECONDS),
    ]


def _share(what: str, outcomes: Sequence[Outcome], goal: int) -> Figure:
    right = sum(each.is_right for each in outcomes)
    share = 100 * right / len(outcomes) if outcomes else 0.0
    return Figure(what, f"{right} of {len(outcomes)}, {share:.0f} %", f"≥ {goal} %", share >= goal)


def _seconds(what: str, seconds: float, goal: int) -> Figure:
    return Figure(what, f"{seconds:.1f} s", f"≤ {goal} s", seconds <= goal)


def _table(outcomes: Sequence[Outcome]) -> str:
    lines = ["| kind | open half | held-out half | median s | longest s |", "|---|--:|--:|--:|--:|"]
    for kind in dict.fromkeys(each.kind for each in outcomes):
        of_kind = [each for each in outcomes if each.kind == kind]
        halves = [[each for each in of_kind if each.is_held_out is held] for held in (False, True)]
        shares = [f"{sum(each.is_right for each in half)} of {len(half)}" for half in halves]
        seconds = [each.seconds for each in of_kind]
        lines.append(
            f"| {kind} | {shares[0]} | {shares[1]} | {statistics.median(seconds):.1f} | {max(seconds):.1f} |"
        )
    return "\n".join(lines)

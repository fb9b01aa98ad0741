"""Everyday requests to the demonstration model in ComfyUI's page: `make bench ARGS=small-model`."""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.report import Figure, Report
from bench.small_model.judge import faults
from bench.small_model.play import opened_page, play
from bench.small_model.requests import EVERYDAY, Request, read_requests
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.component import ensure
from dev.demonstration_model import service
from dev.places import LOGS, ROOT
from dev.templates import TEMPLATE_NODES
from tests.host.served_model import serving

LOG = LOGS / "small-model.log"
SECONDS_OF_REQUESTS, SECONDS_OF_EVERYDAY = 600, 300
WINDOWS = (4_096, 8_192, 32_768)
QUESTION = Request(1, "default", "question", "how many steps does the sampler take?", {"answer": [["20"]]})


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
    others = [request for request in read_requests(EVERYDAY) if request.is_held_out]
    threads = os.environ.get("SMALL_MODEL_THREADS")
    options = ("--threads", threads) if threads else ()
    with serving("1.5b", *options, log=LOG) as port:
        print(f"# {len(held_out)} requests that are held out", flush=True)
        outcomes = play_all(held_out, port=port, seconds=SECONDS_OF_REQUESTS)
        print(f"# {len(others)} as people type them, held out", flush=True)
        everyday = play_all(others, port=port, seconds=SECONDS_OF_EVERYDAY)
    windows = {window: _first_answers(window, options) for window in WINDOWS}
    return Report(
        name="small-model",
        title="The demonstration model",
        how=(
            "What Qwen2.5-Coder 1.5B does on this machine's processor, with nothing of ours between what a person says "
            f"and the model: {len(outcomes)} requests over five workflows (the default one, and official templates for "
            f"SDXL, image to image, LoRA and video) and {len(everyday)} as people type them (slips, thanks, several "
            "languages, two wishes in one message) over three others, each in a chat of its own in ComfyUI's real page "
            "and judged by the graph afterwards, questions by the facts in the answer. They are the held-out half of "
            f"all, as many as fit into {SECONDS_OF_REQUESTS // 60} and {SECONDS_OF_EVERYDAY // 60} minutes; no share "
            "of them is a goal. The last table has the seconds of a question to which the list of the open workflow is "
            "the answer, to the model just started and in a new chat afterwards."
            + (f" The model ran with {threads} thread{'' if threads == '1' else 's'}." if threads else "")
        ),
        figures=[
            _share("requests, right by the graph", outcomes),
            _share("as people type them, right by the graph", everyday),
        ],
        table="\n\n".join([kinds_table(outcomes), kinds_table(everyday), windows_table(windows)]),
    )


def _first_answers(window: int, options: Sequence[str]) -> list[Outcome]:
    """Of a model that was just started with such a window: the first answer, and that of a new chat behind it."""
    environment = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": str(window), "COMFYUI_ASSISTANT_PROFILE": "auto"}
    print(f"# a question in a window of {window:,} tokens, twice", flush=True)
    with serving("1.5b", *options, "--window", str(window), log=LOG) as port:
        return play_all([QUESTION] * 2, port=port, environment=environment, is_warm=False)


def play_all(
    requests: Sequence[Request],
    *,
    port: int,
    extension: Path = ROOT,
    environment: dict[str, str] | None = None,
    seconds: float = float("inf"),
    is_warm: bool = True,
) -> list[Outcome]:
    """Those that were begun within so many seconds, each printed as it comes."""
    settings = {**service.settings("1.5b", port), **(environment or {})}
    outcomes = []
    with (
        tempfile.TemporaryDirectory() as folder,
        opened_page(Path(folder), settings, extension=extension) as (comfy, panel),
    ):
        # As `make run` does it: the model has read what begins every request before a person asks.
        if is_warm:
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


def _share(what: str, outcomes: Sequence[Outcome]) -> Figure:
    right = sum(each.is_right for each in outcomes)
    share = 100 * right / len(outcomes) if outcomes else 0.0
    return Figure(what, f"{right} of {len(outcomes)}, {share:.0f} %")


def kinds_table(outcomes: Sequence[Outcome]) -> str:
    lines = ["| kind | right | median s | longest s |", "|---|--:|--:|--:|"]
    kinds = dict.fromkeys(each.kind for each in outcomes)
    return "\n".join(
        [*lines, *(_row(kind, [each for each in outcomes if each.kind == kind]) for kind in kinds)]
    )


def windows_table(windows: Mapping[int, Sequence[Outcome]]) -> str:
    lines = ["| window, tokens | first answer, s | in a new chat, s | right |", "|---|--:|--:|--:|"]
    return "\n".join([*lines, *(_window_row(window, outcomes) for window, outcomes in windows.items())])


def _window_row(window: int, outcomes: Sequence[Outcome]) -> str:
    seconds = " | ".join(f"{each.seconds:.1f}" for each in outcomes)
    return f"| {window:,} | {seconds} | {sum(each.is_right for each in outcomes)} of {len(outcomes)} |"


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    seconds = [each.seconds for each in outcomes] or [0.0]
    right = sum(each.is_right for each in outcomes)
    return f"| {name} | {right} of {len(outcomes)} | {statistics.median(seconds):.1f} | {max(seconds):.1f} |"

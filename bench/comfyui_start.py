"""What the extension costs ComfyUI's start."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from bench.report import Figure, Report, at_most
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.comfyui_process import running_comfyui
from dev.component import ensure
from dev.places import ROOT

ROUNDS = 4
GOAL_SECONDS = 0.5


def measure() -> Report:
    ensure(COMFYUI_WITH_EXTENSION)
    seconds_to_start(None)
    without, with_extension = [], []
    for _ in range(ROUNDS):
        without.append(seconds_to_start(None))
        with_extension.append(seconds_to_start(ROOT))
    differences = [more - less for more, less in zip(with_extension, without, strict=True)]
    return Report(
        name="comfyui-start",
        title="ComfyUI's start",
        how=(
            f"Seconds from starting the process to the first answer of `/system_stats`, {ROUNDS} starts each in turn "
            "after one that is not counted; the median, and the range in brackets."
        ),
        figures=[
            Figure("without the extension", _median_and_range(without)),
            Figure("with the extension", _median_and_range(with_extension)),
            at_most("difference, median of pairs", statistics.median(differences), GOAL_SECONDS, "s", 2),
        ],
    )


def seconds_to_start(extension: Path | None) -> float:
    """From starting the process to its first answer."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        with running_comfyui(Path(folder), extension=extension):
            return time.monotonic() - started


def _median_and_range(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.2f} s ({min(seconds):.2f}–{max(seconds):.2f})"

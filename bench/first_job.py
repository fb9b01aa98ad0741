"""What the demonstration model makes of a newcomer's first wish: `make bench ARGS=first-job`."""

from __future__ import annotations

import statistics

from bench.report import Figure, Report, at_most
from bench.small_model import play_all
from bench.small_model.requests import Request
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.component import ensure
from dev.demonstration_model import service
from dev.places import LOGS
from tests.host.served_model import serving

FIRST_JOB = Request(
    0,
    "default",
    "first job",
    "make a red 64x64 image and save it",
    {
        "types": ["EmptyImage", "SaveImage"],
        "holds": {"EmptyImage": {"width": 64, "height": 64, "color": 0xFF0000}},
        "ran": True,
    },
)
TIMES = 10
LONGEST_SECONDS = 15


def measure() -> Report:
    ensure(COMFYUI_WITH_EXTENSION, chromium.CHROMIUM)
    service.fetch("1.5b")
    with serving("1.5b", log=LOGS / "first-job.log") as port:
        first, *warm = play_all([FIRST_JOB] * (1 + TIMES), port=port)
    right = sum(each.is_right for each in (first, *warm))
    seconds = [each.seconds for each in warm]
    return Report(
        name="first-job",
        title="The first job",
        how=(
            f"“{FIRST_JOB.text}”, which the README has a newcomer type, is asked of Qwen2.5-Coder 1.5B on this "
            "machine's processor in ComfyUI's real page, in a new chat each time, and judged by the graph and the "
            "run. The first one comes once the model has read what begins every request, as `make run` has it, and "
            f"reads the list of ComfyUI's default workflow; before the {TIMES} others it has read that as well. Other "
            "programs on the machine lengthen the times much: llama.cpp's threads wait for each other."
        ),
        figures=[
            Figure("right", f"{right} of {1 + TIMES}", f"{1 + TIMES} of {1 + TIMES}", right == 1 + TIMES),
            Figure("the first one", f"{first.seconds:.1f} s", is_time=True),
            Figure("the others, median", f"{statistics.median(seconds):.1f} s", is_time=True),
            at_most("the others, longest", max(seconds), LONGEST_SECONDS, "s"),
        ],
    )

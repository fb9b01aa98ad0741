"""What the demonstration model makes of a newcomer's first wish: `make bench ARGS=first-job`."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Request, sync_playwright

from bench.report import Figure, Report, at_most
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.comfyui_process import running_comfyui
from dev.component import ensure
from dev.demonstration_model import service
from dev.places import LOGS
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.served_model import SECONDS_TO_ANSWER, serving

WISH = "make a red 64x64 image and save it"
TIMES = 10
LONGEST_SECONDS = 15


@dataclass(frozen=True)
class Job:
    is_right: bool
    seconds: float


def measure() -> Report:
    ensure(COMFYUI_WITH_EXTENSION, chromium.CHROMIUM)
    service.fetch("1.5b")
    with serving("1.5b", log=LOGS / "first-job.log") as port:
        first, *others = jobs(service.settings("1.5b", port), 1 + TIMES)
    right = sum(each.is_right for each in (first, *others))
    seconds = [each.seconds for each in others]
    return Report(
        name="first-job",
        title="The first job",
        how=(
            f"“{WISH}”, which the README has a newcomer type, is asked of Qwen2.5-Coder 1.5B on this machine's "
            "processor in ComfyUI's real page, in a new chat each time, and judged by the new nodes and the run. The "
            "first one comes once the model has read what begins every request, as `make run` has it, and reads the "
            f"list of ComfyUI's default workflow; before the {TIMES} others it has read that as well. Other programs "
            "on the machine lengthen the times much: llama.cpp's threads wait for each other."
        ),
        figures=[
            Figure("right", f"{right} of {1 + TIMES}", f"{1 + TIMES} of {1 + TIMES}", right == 1 + TIMES),
            Figure("the first one", f"{first.seconds:.1f} s", is_time=True),
            Figure("the others, median", f"{statistics.median(seconds):.1f} s", is_time=True),
            at_most("the others, longest", max(seconds), LONGEST_SECONDS, "s"),
        ],
    )


def jobs(environment: dict[str, str], times: int) -> list[Job]:
    """The wish, so many times, each beside ComfyUI's default workflow; `environment` names the model."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_comfyui(Path(folder), environment=environment) as comfyui,
        sync_playwright() as playwright,
    ):
        service.warm_up(comfyui.url)
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        comfy = ComfyPage(browser.new_page(viewport={"width": 1440, "height": 900}), comfyui.url)
        comfy.open()
        panel = Panel(comfy.page)
        panel.open()
        done = [_job(comfy, panel) for _ in range(times)]
        browser.close()
    return done


def _job(comfy: ComfyPage, panel: Panel) -> Job:
    page = comfy.page
    runs: list[Request] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/prompt"):
            runs.append(request)

    page.evaluate("async () => { await app.loadGraphData(); }")
    before = comfy.prompt()
    panel.begin_new_chat()
    page.on("request", note)
    began = time.monotonic()
    panel.send(WISH)
    page.wait_for_timeout(150)
    panel.wait_until_the_turn_is_over(seconds=SECONDS_TO_ANSWER)
    seconds = time.monotonic() - began
    page.remove_listener("request", note)
    new = {node_id: node for node_id, node in comfy.prompt().items() if node_id not in before}
    return Job(len(runs) == 1 and is_red_picture(new), seconds)


def is_red_picture(prompt: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether these nodes save a red picture of 64 by 64 pixels, and do nothing else."""
    inputs = {node["class_type"]: node["inputs"] for node in prompt.values()}
    if len(prompt) != 2 or inputs.keys() != {"EmptyImage", "SaveImage"}:
        return False
    image = inputs["EmptyImage"]
    is_linked = prompt[inputs["SaveImage"]["images"][0]]["class_type"] == "EmptyImage"
    return is_linked and (image["width"], image["height"], image["color"]) == (64, 64, 0xFF0000)

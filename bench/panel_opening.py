"""How long a person waits for the panel when they open it for the first time."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.report import Figure, Report, at_most
from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION, FRONTEND
from dev.comfyui_process import running_comfyui
from dev.component import ensure
from dev.frontends import NEWER_FRONTEND, NEWER_FRONTEND_FILES
from tests.host.comfy import ComfyPage

VISITS = 5
GOAL_SECONDS = 1.0

OPEN = """() => new Promise((resolve, reject) => {
    const started = performance.now();
    const composer = () => [...document.querySelectorAll(".cass-composer textarea")]
        .find((field) => field.offsetParent && !field.disabled);
    const look = () => {
        if (composer()) resolve((performance.now() - started) / 1000);
        else if (performance.now() - started > 20000) reject(new Error("the composer did not appear within 20 s"));
        else requestAnimationFrame(look);
    };
    app.extensionManager.command.execute("ComfyUIAssistant.Open");
    look();
})"""


def measure() -> Report:
    ensure(COMFYUI_WITH_EXTENSION, NEWER_FRONTEND_FILES, chromium.CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        found = {frontend: seconds_to_open(browser, frontend) for frontend in (FRONTEND, NEWER_FRONTEND)}
        browser.close()
    figures = []
    for frontend, seconds in found.items():
        figures.append(
            at_most(f"frontend {frontend}, median", statistics.median(seconds), GOAL_SECONDS, "s", 2)
        )
        figures.append(Figure(f"frontend {frontend}, slowest", f"{max(seconds):.2f} s"))
    return Report(
        name="panel-opening",
        title="First open of the panel",
        how=(
            "In Chromium, in a real ComfyUI: from the command that opens the panel to a composer to type into. "
            f"{VISITS} visits per frontend, each with an empty browser cache."
        ),
        figures=figures,
    )


def seconds_to_open(browser: Browser, frontend: str) -> list[float]:
    environment = {"COMFYUI_ASSISTANT_BASE_URL": "http://127.0.0.1:9/v1", "COMFYUI_ASSISTANT_MODEL": "none"}
    with (
        tempfile.TemporaryDirectory() as folder,
        running_comfyui(Path(folder), frontend=frontend, environment=environment) as comfyui,
    ):
        return [visit(browser, comfyui.url) for _ in range(VISITS)]


def visit(browser: Browser, url: str) -> float:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        comfy = ComfyPage(context.new_page(), url)
        comfy.open()
        return comfy.page.evaluate(OPEN)
    finally:
        context.close()

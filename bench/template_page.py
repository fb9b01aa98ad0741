"""ComfyUI's page with the bridge in it, for measurements on many workflows."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from dev import chromium
from dev.comfyui import COMFYUI_WITH_EXTENSION, FRONTEND
from dev.comfyui_process import running_comfyui
from dev.component import ensure
from dev.frontends import frontend_files
from dev.templates import NODE_PACKAGES, TEMPLATE_NODES, TEMPLATE_WORKFLOWS
from dev.vocabulary import TOKEN_VOCABULARY
from tests.host.bridge import Bridge, bundle_bridge
from tests.host.comfy import ComfyPage

A_FRESH_PAGE_EVERY = 40


class TemplatePage:
    """A page grows with each workflow that it loads, so after some there is another."""

    def __init__(self, comfy: ComfyPage, script: str) -> None:
        self._comfy = comfy
        self._script = script
        self._loaded = 0

    def definitions(self) -> dict[str, Any]:
        self._renew()
        return self._comfy.page.evaluate("async () => (await fetch('/object_info')).json()")

    def evaluate(self, function: str, argument: Any, *, fresh_every: int = A_FRESH_PAGE_EVERY) -> Any:
        if self._loaded % fresh_every == 0:
            self._renew()
        self._loaded += 1
        return self._comfy.page.evaluate(function, argument)

    def busy_time(self, function: str) -> float:
        """Milliseconds of processor time that the page takes for whatever it does until this is done."""
        cdp = self._comfy.page.context.new_cdp_session(self._comfy.page)
        cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

        def busy() -> float:
            metrics = cdp.send("Performance.getMetrics")["metrics"]
            return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

        before = busy()
        self._comfy.page.evaluate(function)
        after = busy()
        cdp.detach()
        return (after - before) * 1000

    def _renew(self) -> None:
        self._comfy.page.goto("about:blank")
        self._comfy.open()
        Bridge(self._comfy.page, self._script)


@contextlib.contextmanager
def template_page(frontend: str = FRONTEND) -> Iterator[TemplatePage]:
    """With all nodes of ComfyUI's own, and none of its model files."""
    ensure(COMFYUI_WITH_EXTENSION, chromium.CHROMIUM, TOKEN_VOCABULARY, TEMPLATE_WORKFLOWS, TEMPLATE_NODES)
    if frontend != FRONTEND:
        ensure(frontend_files(frontend))
    with (
        tempfile.TemporaryDirectory() as folder,
        running_comfyui(
            Path(folder) / "base",
            extension=None,
            frontend=frontend,
            environment={"PYTHONPATH": str(NODE_PACKAGES)},
            has_api_nodes=True,
        ) as comfyui,
        sync_playwright() as playwright,
    ):
        script = bundle_bridge(Path(folder) / "bridge.js")
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        yield TemplatePage(ComfyPage(browser.new_page(), comfyui.url), script)
        browser.close()

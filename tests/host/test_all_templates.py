"""Every official template, read and built anew, checked, edited and undone in real frontends: `make test-templates`."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error

from dev.comfyui import CHOSEN
from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.templates import NEWEST, NODE_PACKAGES, OF_PINNED_COMFYUI, OF_THIS_COMFYUI
from tests.host.bridge import Bridge, bundle_bridge
from tests.host.checked_run import hold_the_queue
from tests.host.comfy import ComfyPage
from tests.host.conftest import SLOW_NODES
from tests.host.official_templates import known_templates, put_files
from tests.host.round_trip import NotOpened
from tests.host.template_results import TemplateResults, note
from tests.host.template_trial import TemplateTrial, try_template

pytestmark = pytest.mark.all_templates

KNOWN = {OF_PINNED_COMFYUI: 187, NEWEST: 137}
"""How many templates of each set the pinned ComfyUI has all nodes of."""

A_FRESH_PAGE_EVERY = 40


@pytest.fixture(scope="module")
def comfyui_with_all_nodes(
    frontend: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    base = tmp_path_factory.mktemp(f"templates-{frontend}")
    put_files(base)
    (base / "custom_nodes").mkdir()
    shutil.copy(SLOW_NODES, base / "custom_nodes")
    environment = {"PYTHONPATH": str(NODE_PACKAGES)}
    with running_comfyui(base, frontend=frontend, environment=environment, has_api_nodes=True) as process:
        yield process


@pytest.mark.parametrize("package_set", [OF_THIS_COMFYUI, NEWEST])
def test_every_template_is_read_built_checked_edited_and_undone(
    frontend: str,
    package_set: str,
    comfyui_with_all_nodes: ComfyUIProcess,
    browser: Browser,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    script = bundle_bridge(tmp_path / "bridge.js")
    wrong: dict[str, dict[str, list[str]]] = defaultdict(dict)
    results = TemplateResults()
    context = browser.new_context()
    page = context.new_page()
    comfy = ComfyPage(page, comfyui_with_all_nodes.url)
    comfy.open()
    version = page.evaluate("() => window.__COMFYUI_FRONTEND_VERSION__ ?? ''") or frontend
    definitions = page.evaluate("async () => (await fetch('/object_info')).json()")
    bridge = Bridge(page, script)
    hold_the_queue(bridge)
    every = request.config.getoption("--every")
    templates = islice(known_templates(package_set, definitions), 0, None, every)
    for number, (name, workflow) in enumerate(templates, start=1):
        if number % A_FRESH_PAGE_EVERY == 0:
            bridge = fresh_page(comfy, script)
        try:
            trial = try_template(bridge, workflow, definitions)
        except NotOpened as error:
            print(f"{name} is not opened by the page itself: {error}", flush=True)
            results.not_opened += 1
            bridge = fresh_page(comfy, script)
            continue
        except Error as error:
            trial = TemplateTrial([f"the page failed: {error.message.splitlines()[0]}"], [], 0, 0, [], False)
            bridge = fresh_page(comfy, script)
        results.add(trial)
        for what in ("otherwise", "false_problems", "edit"):
            if found := getattr(trial, what):
                wrong[what][name] = found
                print(f"{name}, {what}: {found}", flush=True)
    context.close()
    if every == 1:
        note(CHOSEN.version, version, package_set, results)
        assert results.templates == KNOWN[package_set] if CHOSEN.is_pinned else results.templates > 0
    assert dict(wrong) == {}


def fresh_page(comfy: ComfyPage, script: str) -> Bridge:
    comfy.page.goto("about:blank")
    comfy.open()
    return Bridge(comfy.page, script)

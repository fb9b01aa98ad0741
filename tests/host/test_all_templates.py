"""Every official template through the compact form and back, in the real frontends: `make test-templates`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.templates import NEWEST, NODE_PACKAGES, OF_THIS_COMFYUI
from tests.host.bridge import Bridge, bundle_bridge
from tests.host.comfy import ComfyPage
from tests.host.official_templates import known_templates
from tests.host.round_trip import differences, round_trip

pytestmark = pytest.mark.all_templates

KNOWN = {OF_THIS_COMFYUI: 187, NEWEST: 137}
NOT_THE_SAME: dict[tuple[str, str, str], str] = {}
"""Why a template is run otherwise afterwards, by frontend, set and name."""

A_FRESH_PAGE_EVERY = 40


@pytest.fixture(scope="module")
def comfyui_with_all_nodes(
    frontend: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    base = tmp_path_factory.mktemp(f"templates-{frontend}")
    environment = {"PYTHONPATH": str(NODE_PACKAGES)}
    with running_comfyui(
        base, extension=None, frontend=frontend, environment=environment, has_api_nodes=True
    ) as process:
        yield process


@pytest.mark.parametrize("package_set", [OF_THIS_COMFYUI, NEWEST])
def test_every_template_is_run_the_same_after_the_compact_form(
    frontend: str,
    package_set: str,
    comfyui_with_all_nodes: ComfyUIProcess,
    browser: Browser,
    tmp_path: Path,
) -> None:
    script = bundle_bridge(tmp_path / "bridge.js")
    failures: dict[tuple[str, str, str], list[str]] = {}
    count = 0
    context = browser.new_context()
    page = context.new_page()
    comfy = ComfyPage(page, comfyui_with_all_nodes.url)
    comfy.open()
    definitions = page.evaluate("async () => (await fetch('/object_info')).json()")
    bridge = Bridge(page, script)
    for count, (name, workflow) in enumerate(known_templates(package_set, definitions), start=1):
        if count % A_FRESH_PAGE_EVERY == 0:
            page.goto("about:blank")
            comfy.open()
            bridge = Bridge(page, script)
        if found := differences(round_trip(bridge, workflow), definitions):
            failures[frontend, package_set, name] = found
    context.close()
    assert count == KNOWN[package_set]
    assert {place: lines for place, lines in failures.items() if place not in NOT_THE_SAME} == {}
    assert {place for place in NOT_THE_SAME if place[:2] == (frontend, package_set)} <= failures.keys()

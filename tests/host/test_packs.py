"""Every example workflow of real node packs: `make test-packs PACKS=<folder of packs>`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from tests.host.bridge import Bridge
from tests.host.checked_run import CheckedPage, hold_the_queue
from tests.host.comfy import ComfyPage
from tests.host.conftest import SLOW_NODES
from tests.host.pack_trial import SECONDS_FOR_ONE, Finding, findings, try_example
from tests.host.packs import PACKAGES, examples, install_packs

pytestmark = pytest.mark.packs

A_FRESH_PAGE_EVERY = 25


@pytest.fixture(scope="module")
def comfyui_with_packs(
    frontend: str, packs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    base = tmp_path_factory.mktemp(f"packs-{frontend}")
    install_packs(packs, base / "custom_nodes")
    (base / "custom_nodes" / SLOW_NODES.name).write_bytes(SLOW_NODES.read_bytes())
    environment = {"PYTHONPATH": str(packs / PACKAGES), "PIP_NO_INDEX": "1"}
    with running_comfyui(base, extension=None, frontend=frontend, environment=environment) as process:
        yield process


def test_every_example_of_a_pack_is_read_applied_edited_checked_and_undone(
    pack: str,
    packs: Path,
    comfyui_with_packs: ComfyUIProcess,
    browser: Browser,
    bridge_script: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: list[tuple[str, list[Finding]]] = []
    page: CheckedPage | None = None
    for count, example in enumerate(examples(packs, pack)):
        if page is None or count % A_FRESH_PAGE_EVERY == 0:
            _close(page)
            page = _open(browser, comfyui_with_packs, bridge_script)
        try:
            rows.append((example.name, findings(try_example(page.bridge, example), page.definitions)))
        except Error as error:
            rows.append((example.name, [Finding("page", str(error).splitlines()[0])]))
            _close(page)
            page = None
    _close(page)
    with capsys.disabled():
        print_table(pack, rows)
    assert {name: found for name, found in rows if found} == {}


def _open(browser: Browser, comfyui: ComfyUIProcess, bridge_script: str) -> CheckedPage:
    comfy = ComfyPage(browser.new_context().new_page(), comfyui.url)
    comfy.page.set_default_timeout(SECONDS_FOR_ONE * 1000)
    comfy.open()
    bridge = Bridge(comfy.page, bridge_script)
    hold_the_queue(bridge)
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    return CheckedPage(comfy, bridge, definitions)


def _close(page: CheckedPage | None) -> None:
    if page:
        page.comfy.page.context.close()


def print_table(pack: str, rows: list[tuple[str, list[Finding]]]) -> None:
    places = ("read", "validate", "inPlace", "fresh", "undo", "edit", "page")
    print(f"\n{pack}: {sum(not found for _, found in rows)} of {len(rows)} as they must be")
    for name, found in rows:
        if found:
            counts = {place: sum(each.where == place for each in found) for place in places}
            print(f"  {name}: " + ", ".join(f"{place} {count}" for place, count in counts.items() if count))
            for each in found[: int(os.environ.get("PACKS_LINES", "6"))]:
                print(f"    {each.where}: {each.what[:300]}")

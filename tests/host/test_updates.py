"""An update of the extension while ComfyUI runs and its page is open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dev.comfyui_process import running_comfyui
from dev.processes import free_port
from tests.host.comfy import ComfyPage
from tests.host.installation import install_copy
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    return install_copy(tmp_path / "comfyui-assistant")


@pytest.fixture
def other_page(browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield context.new_page()
    context.close()


def put_another_build(extension: Path) -> None:
    """As an update does: another name for what holds something else, and a new version."""
    [panel] = (extension / "js" / "chunks").glob("panel-*.mjs")
    entry = extension / "js" / "assistant.js"
    entry.write_text(entry.read_text("utf-8").replace(panel.name, "panel-updated.mjs"), "utf-8")
    panel.rename(panel.with_name("panel-updated.mjs"))
    package = extension / "pyproject.toml"
    package.write_text(package.read_text("utf-8").replace("version = ", "# updated\nversion = ", 1), "utf-8")


@pytest.mark.slow
def test_an_open_page_says_what_an_update_needs_and_reloads_itself(frontend, installed, other_page, tmp_path):
    port = free_port()
    with running_comfyui(tmp_path / "base", extension=installed, frontend=frontend, port=port) as comfyui:
        comfy = ComfyPage(other_page, comfyui.url)
        comfy.open()
        panel = Panel(other_page)
        panel.open()
        expect(panel.notice).to_have_count(0)
        put_another_build(installed)
        panel.close()
        panel.open()
        expect(panel.notice).to_have_text(
            "ComfyUI Assistant was updated. Restart ComfyUI, then reload this page."
        )
    with running_comfyui(tmp_path / "base", extension=installed, frontend=frontend, port=port):
        expect(panel.notice).to_contain_text("was updated while this page was open", timeout=30_000)
        panel.notice.get_by_role("button", name="Reload").click()
        comfy.wait_until_ready()
        panel.open()
        expect(panel.notice).to_have_count(0)

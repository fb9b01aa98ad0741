"""A ComfyUI that a proxy shows below a path: the assistant asks for nothing beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.sub_path import SubPathProxy, below_a_path
from tests.host.test_attachments import BLUE, attach

OURS = ("/extensions/comfyui-assistant", "/scripts/", "/assistant", "/chat", "/view", "/upload")


# The older frontend shows no page below a path by itself.
pytestmark = pytest.mark.newer_frontend


@pytest.fixture
def proxy(comfyui) -> Iterator[SubPathProxy]:
    with below_a_path(comfyui.url) as proxy:
        yield proxy


@pytest.fixture
def comfy(proxy, browser) -> Iterator[ComfyPage]:
    context = browser.new_context()
    comfy = ComfyPage(context.new_page(), proxy.url)
    comfy.open()
    yield comfy
    context.close()


@pytest.mark.slow
def test_the_main_job_is_done_below_the_path_of_a_proxy(comfy, proxy, model):
    panel = Panel(comfy.page)
    panel.open()
    model.play("red-image")
    attach(panel, "blue.png", "image/png", BLUE)

    assert "Done" in panel.ask("make a red 64x64 image and save it")

    made = panel.tool_card("executeWorkflow").locator("img")
    expect(made).to_have_js_property("naturalWidth", 64)
    attached = comfy.page.locator(".cass-user img")
    expect(attached).to_have_js_property("naturalWidth", 1)
    comfy.reload()
    panel.open()
    expect(made).to_have_js_property("naturalWidth", 64)
    expect(attached).to_have_js_property("naturalWidth", 1)
    assert not [path for path in proxy.outside if path.removeprefix("/api").startswith(OURS)]

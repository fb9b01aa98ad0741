"""A ComfyUI whose assistant asks each browser for an access code once."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import running_comfyui
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend

CODE = "open sesame"


@pytest.mark.slow
def test_the_code_is_asked_for_once_and_then_there_is_a_chat(
    frontend, extension, browser, model, model_port, tmp_path
):
    environment = {
        "COMFYUI_ASSISTANT_ACCESS_CODE": CODE,
        "COMFYUI_ASSISTANT_BASE_URL": f"http://127.0.0.1:{model_port}/v1",
        "COMFYUI_ASSISTANT_MODEL": "scripted",
    }
    with running_comfyui(
        tmp_path / "base", extension=extension, frontend=frontend, environment=environment
    ) as comfyui:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        comfy = ComfyPage(page, comfyui.url)
        comfy.open()
        panel = Panel(page)
        page.evaluate("() => app.extensionManager.command.execute('ComfyUIAssistant.Open')")
        field = panel.root.get_by_label("Access code")
        field.fill("open barley")
        panel.look_at("access-code")
        panel.root.get_by_role("button", name="Open", exact=True).click()
        expect(panel.root.get_by_role("alert")).to_contain_text("This is not the access code.")
        field.fill(CODE)
        field.press("Enter")
        expect(panel.composer).to_be_visible()
        model.play(scenario("short-answer"))
        panel.ask("hello")

        comfy.reload()
        panel.open()
        expect(panel.composer).to_be_visible()
        expect(panel.messages).to_have_count(2)
        page.close()

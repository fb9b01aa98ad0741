"""Pictures of the running product for the README: a real ComfyUI, a real browser, the scripted model."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from dev import chromium
from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.places import ROOT, shown
from dev.scripted.provider import ScriptedProviderThread
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel

FOLDER = ROOT / "docs" / "screenshots"
WINDOW = ViewportSize(width=1440, height=900)
VIEW = {"left": 60, "right": 1440, "top": 60, "bottom": 450}
WITHOUT_ANNOUNCEMENT = "localStorage.setItem('vueNodesBannerDismissed', 'true')"
SETTINGS = """async (settings) => {
    for (const [name, value] of Object.entries(settings)) await app.extensionManager.setting.set(name, value);
}"""
# The part of the canvas above the panel; ComfyUI's own "fit view" reckons with the whole window.
BRING_INTO_VIEW = """({ left, right, top, bottom }) => {
    const boxes = app.graph.nodes.map((node) => node.getBounding());
    const x = Math.min(...boxes.map((box) => box[0])), y = Math.min(...boxes.map((box) => box[1]));
    const width = Math.max(...boxes.map((box) => box[0] + box[2])) - x;
    const height = Math.max(...boxes.map((box) => box[1] + box[3])) - y;
    const scale = Math.min((right - left) / width, (bottom - top) / height, 1.1);
    const { ds } = app.canvas;
    ds.scale = scale;
    ds.offset[0] = (left + right) / 2 / scale - x - width / 2;
    ds.offset[1] = (top + bottom) / 2 / scale - y - height / 2;
    app.canvas.setDirty(true, true);
}"""
# Name, palette, and the command whose view lies over the conversation, if any.
PICTURES = (("red-image", "dark", ""), ("red-image-light", "light", ""), ("context", "dark", "/context"))


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        ScriptedProviderThread("red-image", pace=0) as model,
        running_comfyui(
            Path(folder),
            environment={
                "COMFYUI_ASSISTANT_BASE_URL": model.base_url,
                "COMFYUI_ASSISTANT_MODEL": "scripted",
            },
        ) as comfyui,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        for name, palette, command in PICTURES:
            print(shown(take(browser, comfyui, name, palette, command)))
        browser.close()
    return 0


def take(browser: Browser, comfyui: ComfyUIProcess, name: str, palette: str, command: str) -> Path:
    context = browser.new_context(viewport=WINDOW)
    context.add_init_script(WITHOUT_ANNOUNCEMENT)
    comfy = ComfyPage(context.new_page(), comfyui.url)
    comfy.open()
    comfy.page.evaluate(SETTINGS, {"Comfy.ColorPalette": palette, "Comfy.Minimap.Visible": False})
    panel = Panel(comfy.page)
    panel.open()
    panel.ask("make a red 64x64 image and save it")
    if command:
        panel.send(command)
    # Twice: a node grows as soon as the picture in it is drawn.
    for _ in range(2):
        comfy.page.evaluate(BRING_INTO_VIEW, VIEW)
        comfy.page.wait_for_timeout(500)
    path = comfy.screenshot(FOLDER / f"{name}.png")
    context.close()
    return path


if __name__ == "__main__":
    sys.exit(main())

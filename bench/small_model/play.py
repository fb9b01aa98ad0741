"""Requests made in ComfyUI's real page, to a model on this machine."""

from __future__ import annotations

import contextlib
import json
import struct
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

from dev import chromium
from dev.comfyui_process import running_comfyui
from dev.places import ROOT
from dev.templates import OF_THIS_COMFYUI, TEMPLATES
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel

from .judge import Graph, Played
from .requests import Request

SECONDS_FOR_A_TURN = 300
_MODELS = {
    "checkpoints": (
        "v1-5-pruned-emaonly-fp16.safetensors",
        "sd_xl_base_1.0.safetensors",
        "sd_xl_refiner_1.0.safetensors",
        "dreamshaper_8.safetensors",
        "DreamShaper_8_pruned.safetensors",
    ),
    "loras": ("blindbox_v1_mix.safetensors", "MoXinV1.safetensors", "add_detail.safetensors"),
    "text_encoders": (
        "umt5_xxl_fp8_e4m3fn_scaled.safetensors",
        "clip_l.safetensors",
        "t5xxl_fp16.safetensors",
    ),
    "vae": ("wan_2.1_vae.safetensors", "ae.safetensors", "vae-ft-mse-840000-ema-pruned.safetensors"),
    "diffusion_models": ("wan2.1_t2v_1.3B_fp16.safetensors", "flux1-schnell.safetensors"),
    "controlnet": ("control_v11p_sd15_scribble_fp16.safetensors",),
    "upscale_models": ("4x-UltraSharp.pth",),
}
_PICTURES = (
    "image2image_input_image.jpg",
    "controlnet_example_input_image.png",
    "cat.png",
    "dog.png",
    "example.png",
)
_GRAPH = """() => Object.fromEntries(app.graph.nodes
    .filter(({ type }) => !type.includes("Note"))
    .map((node) => [String(node.id), {
        type: node.type,
        title: node.title,
        mode: { 0: "active", 2: "muted", 4: "bypassed" }[node.mode ?? 0] ?? "active",
        widgets: Object.fromEntries((node.widgets ?? [])
            .filter(({ type, name }) => type !== "button" && name !== "control_after_generate")
            .map(({ name, value }) => [name, typeof value === "object" ? null : value])),
        inputs: Object.fromEntries((node.inputs ?? []).flatMap(({ name, link }) => {
            const found = link == null ? undefined : app.graph.getLink?.(link) ?? app.graph.links[link];
            return found ? [[name, `${found.origin_id}.${found.origin_slot}`]] : [];
        })),
    }]))"""
_LOAD = """async ([workflow, name]) => {
    const quietly = { showMissingNodesDialog: false, showMissingModelsDialog: false, silentAssetErrors: true };
    await app.loadGraphData(workflow, true, true, name, quietly);
}"""
_CUT = """(inputs) => {
    for (const [id, name] of inputs) {
        const node = app.graph.nodes.find((each) => String(each.id) === id);
        node.disconnectInput(node.inputs.findIndex((input) => input.name === name));
    }
}"""


@contextlib.contextmanager
def opened_page(
    folder: Path, environment: dict[str, str], *, extension: Path = ROOT
) -> Iterator[tuple[ComfyPage, Panel]]:
    """ComfyUI with files of the names that the workflows use, and its page with the panel open."""
    for kind, names in _MODELS.items():
        for name in names:
            _write(folder / "models" / kind / name, b"no model")
    for name in _PICTURES:
        _write(folder / "input" / name, _picture())
    with (
        running_comfyui(folder, extension=extension, environment=environment) as comfyui,
        sync_playwright() as playwright,
    ):
        browser: Browser = playwright.chromium.launch(
            executable_path=chromium.executable(), args=chromium.ARGUMENTS
        )
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            comfy = ComfyPage(page, comfyui.url)
            comfy.open()
            panel = Panel(page)
            panel.open()
            yield comfy, panel
        finally:
            browser.close()


def play(comfy: ComfyPage, panel: Panel, request: Request) -> Played:
    page = comfy.page
    _load(page, request.workflow)
    if cut := request.expected.get("cut"):
        page.evaluate(_CUT, [name.split(".", 1) for name in cut])
    if request.expected.get("failed"):
        with contextlib.suppress(Error):
            comfy.run()
        page.wait_for_timeout(500)
        page.keyboard.press("Escape")
    page.wait_for_timeout(100)
    _close_dialogs(page)
    panel.begin_new_chat()
    start = graph = _graph(page)
    runs: list[str] = []

    def note(sent: Any) -> None:
        if sent.method == "POST" and sent.url.split("?")[0].endswith("/prompt"):
            runs.append(sent.url)

    page.on("request", note)
    problem, seconds, shown, began = "", 0.0, 0, time.monotonic()
    try:
        for text in request.messages:
            before, graph = graph, _graph(page)
            runs.clear()
            shown = len(panel.tool_cards())
            began = time.monotonic()
            panel.send(text)
            page.wait_for_timeout(150)
            panel.wait_until_the_turn_is_over(seconds=SECONDS_FOR_A_TURN)
            seconds = time.monotonic() - began
        if len(request.messages) > 1 and graph == start:
            problem = "the first message changed nothing"
        if panel.errors.count() > 0:
            problem = "error: " + panel.errors.last.inner_text()
    except Error as error:
        problem = f"no end: {error.message.splitlines()[0]}"
        if panel.stop_button.count() > 0:
            panel.stop()
        seconds = time.monotonic() - began
    finally:
        page.remove_listener("request", note)
    cards = panel.tool_cards()[shown:]
    calls = [card.tool for card in cards if card.state == "succeeded"]
    answer = panel.answer() if panel.answers.count() > 0 else ""
    before = start if request.expected.get("same") else graph
    return Played(before, _graph(page), answer, bool(runs), calls, seconds, problem)


def _close_dialogs(page: Page) -> None:
    """ComfyUI's own, which a run that failed opens over the panel of earlier commits."""
    for _ in range(5):
        if page.locator(".p-dialog-mask").count() == 0:
            return
        page.keyboard.press("Escape")
        page.wait_for_timeout(400)


def _load(page: Page, workflow: str) -> None:
    if workflow == "default":
        page.evaluate("async () => { await app.loadGraphData(); }")
        return
    template = json.loads((TEMPLATES / OF_THIS_COMFYUI / f"{workflow}.json").read_text("utf-8"))
    page.evaluate(_LOAD, [template, workflow])


def _graph(page: Page) -> Graph:
    return page.evaluate(_GRAPH)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _picture() -> bytes:
    """A PNG of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0\x80"))
        + chunk(b"IEND", b"")
    )

"""Pictures of every tool's card, light and dark, to be looked at: real ComfyUI and browser, the scripted model."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from dev import chromium
from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.places import ROOT, SCREENSHOTS, shown
from dev.screenshots import SETTINGS, WITHOUT_ANNOUNCEMENT
from dev.scripted.provider import ScriptedProviderThread
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel
from tests.host.strangers_world import strangers_world, workflow

FOLDER = SCREENSHOTS / "cards"
WINDOW = ViewportSize(width=1000, height=1100)
# The panel over the whole window, so that each answer is seen in one piece.
ALONE = (
    ".cass-root { position: fixed !important; inset: 0; z-index: 99999; background: var(--comfy-menu-bg); }"
)

NO_DIALOGS = {
    "Comfy.Workflow.ShowMissingNodesWarning": False,
    "Comfy.Workflow.ShowMissingModelsWarning": False,
}
# What ComfyUI's page does with a file that is dropped.
DROP = """async (workflow) => {
    await app.handleFile(new File([JSON.stringify(workflow)], "strangers.json", { type: "application/json" }));
}"""

Call = tuple[str, dict[str, Any]]
IMAGE, SAVE = "{{ result.addNode[0].data.id }}", "{{ result.addNode[1].data.id }}"
TASK = "Find out which samplers there are."
LINES = """1 EmptyImage width=64 height=64 color=255
2 ImageBlur image<1 blur_radius=4
3 SaveImage images<2 filename_prefix=blue"""
STRANGE = """1 CheckpointLoaderSimple ckpt_name=dreams_of_others.safetensors
2 FaceDetailer image<3
3 EmptyImage
4 SaveImage images<2"""

SKILL = """---
name: Portraits
description: How I like portraits.
---
Use a lens of 85 mm and soft light from the left.
Keep the background out of focus."""

# What each answer calls, one call a step; a call that fails or is refused is meant.
ANSWERS: dict[str, list[Call]] = {
    "edits": [
        ("getWorkflowInfo", {}),
        ("addNode", {"type": "EmptyImage", "widgets": {"width": 64, "height": 64, "color": 16711680}}),
        ("addNode", {"type": "SaveImage", "title": "Keep"}),
        ("connectNodes", {"fromNode": IMAGE, "fromOutput": "IMAGE", "toNode": SAVE, "toInput": "images"}),
        ("setNodeWidgetValue", {"node": IMAGE, "widget": "width", "value": 96}),
        ("setNodeWidgetValue", {"node": IMAGE, "widget": "depth", "value": 96}),
        (
            "editWorkflow",
            {
                "operations": [
                    {"op": "insert", "type": "ImageBlur", "to": f"{SAVE}.images", "as": "blur"},
                    {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": "blur.IMAGE"}},
                    {
                        "op": "set",
                        "nodes": [SAVE],
                        "widgets": {"filename_prefix": "a red square, softly blurred"},
                    },
                    {"op": "title", "nodes": [IMAGE], "title": "Red square"},
                    {"op": "group", "nodes": ["blur", "look"], "title": "After"},
                ]
            },
        ),
        ("editWorkflow", {"operations": [{"op": "set", "nodes": ["99"], "widgets": {"steps": 20}}]}),
        ("arrangeNodes", {}),
        ("disconnectNodes", {"toNode": SAVE, "toInput": "images"}),
        ("removeNode", {"node": SAVE}),
        ("validateWorkflow", {}),
    ],
    "runs": [
        ("applyWorkflow", {"workflow": LINES}),
        ("executeWorkflow", {}),
        ("executeWorkflow", {"vary": [{"node": "2", "widget": "blur_radius", "values": [1, 8]}]}),
        (
            "executeWorkflow",
            {
                "vary": [
                    {"node": "1", "widget": "color", "values": [255, 65280]},
                    {"node": "2", "widget": "blur_radius", "values": [1, 8]},
                ]
            },
        ),
        ("viewImages", {"refs": ["blue_00001_.png"]}),
        ("runNewWorkflow", {"script": 'image = EmptyImage(64, 64, color="green")\nSaveImage(image)'}),
        ("applyWorkflow", {"workflow": STRANGE, "mode": "newTab"}),
        ("applyWorkflow", {"workflow": STRANGE, "mode": "newTab", "allowMissing": True}),
        ("validateWorkflow", {}),
        ("executeWorkflow", {}),
        ("undoTurn", {}),
    ],
    "looks": [
        ("searchInstalledNodes", {"query": "blur an image"}),
        ("getNodeInfo", {"types": ["KSampler", "SaveImage"]}),
        ("getNodeInfo", {"types": ["NoSuchNode"]}),
        ("getAvailableModels", {"folder": "loras"}),
        ("readDocumentation", {"node": "KSampler"}),
        ("searchTemplates", {"query": "inpainting"}),
        ("getTemplate", {"name": "default"}),
        ("searchNodeRegistry", {"query": "face detailer"}),
        ("refreshEnvironment", {}),
        ("listSystemSkills", {}),
        ("getSystemSkill", {"slug": "tool-rules"}),
        ("readSkillFile", {"slug": "tool-rules", "path": "notes.md"}),
        ("listUserSkills", {}),
        ("getUserSkill", {"slug": "mine"}),
        ("readToolResult", {"ref": "r1"}),
        ("searchHistory", {"query": "red square"}),
        ("delegate", {"task": TASK, "tools": ["getNodeInfo"]}),
        ("drawPicture", {"of": "a cat"}),
    ],
}
# What the last of them waits with for a yes, in Ask mode.
QUESTIONS: dict[str, list[Call]] = {
    "question-run": [("applyWorkflow", {"workflow": LINES, "mode": "newTab"}), ("executeWorkflow", {})],
    "question-runs": [
        (
            "executeWorkflow",
            {
                "vary": [
                    {"node": "1", "widget": "color", "values": [255, 65280, 16711680]},
                    {"node": "2", "widget": "blur_radius", "values": [1, 8]},
                ]
            },
        )
    ],
    "question-missing": [("findMissing", {})],
    "question-removal": [("getWorkflowInfo", {}), ("removeNode", {"node": "2"})],
    "question-rule": [("rememberRule", {"rule": "Use 1024 x 1024 unless I say otherwise."})],
    "question-skill": [("writeSkill", {"slug": "portraits", "text": SKILL})],
    "question-skill-again": [("writeSkill", {"slug": "portraits", "text": SKILL.replace("85", "50")})],
    "question-chats": [("openOtherChats", {})],
    "question-download": [("downloadModel", {"url": "STRANGER/colour.safetensors", "folder": "loras"})],
}

# Answered with yes, and shown once more.
ALLOWED = ("question-rule", "question-skill", "question-skill-again", "question-chats")


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        ScriptedProviderThread(pace=0) as model,
        strangers_world() as (stranger, _),
        running_comfyui(
            Path(folder),
            environment={
                "COMFYUI_ASSISTANT_BASE_URL": model.base_url,
                "COMFYUI_ASSISTANT_MODEL": "scripted",
                "COMFYUI_ASSISTANT_DOWNLOAD_HOSTS": stranger,
                "COMFYUI_ASSISTANT_DOWNLOAD_FROM_THIS_MACHINE": "on",
                "COMFYUI_ASSISTANT_NODE_REGISTRY": stranger,
            },
        ) as comfyui,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        for palette in ("dark", "light"):
            for path in take(browser, comfyui, model, stranger, palette):
                print(shown(path), flush=True)
        browser.close()
    called = {tool for calls in (*ANSWERS.values(), *QUESTIONS.values()) for tool, _ in calls}
    if left_out := sorted(known_tools() - called):
        print(f"Without a picture: {', '.join(left_out)}.", file=sys.stderr)
    return 1 if left_out else 0


def known_tools() -> set[str]:
    browser, server = (
        json.loads((ROOT / "contract" / name).read_text("utf-8"))
        for name in ("tools.json", "serverTools.json")
    )
    return {tool["name"] for tool in browser} | set(server)


def scenario(name: str, calls: list[Call]) -> dict[str, Any]:
    steps = [{"reply": [{"call": tool, "arguments": arguments}]} for tool, arguments in calls]
    delegated = {"user": TASK, "steps": [{"reply": [{"say": "euler, heun, dpmpp_2m and 40 more."}]}]}
    answered = {"user": name, "steps": [*steps, {"reply": [{"say": "That is all of it."}]}]}
    return {"about": "Calls tools.", "turns": [delegated, answered]}


def from_stranger(calls: list[Call], stranger: str) -> list[Call]:
    """With the address of the server that stands in for the internet."""
    return json.loads(json.dumps(calls).replace("STRANGER", stranger))


def take(
    browser: Browser, comfyui: ComfyUIProcess, model: ScriptedProviderThread, stranger: str, palette: str
) -> Iterator[Path]:
    context = browser.new_context(viewport=WINDOW)
    context.add_init_script(WITHOUT_ANNOUNCEMENT)
    comfy = ComfyPage(context.new_page(), comfyui.url)
    comfy.open()
    comfy.page.evaluate(SETTINGS, {**NO_DIALOGS, "Comfy.ColorPalette": palette})
    panel = Panel(comfy.page)
    panel.open()
    comfy.page.add_style_tag(content=ALONE)
    for name, calls in ANSWERS.items():
        panel.begin_new_chat()
        model.play(scenario(name, calls))
        panel.ask(name)
        comfy.page.wait_for_timeout(500)
        yield comfy.screenshot(FOLDER / f"{name}-{palette}.png")
    panel.tool_card(ANSWERS["looks"][0][0]).locator(".cass-tool-line").click()
    panel.tool_card(ANSWERS["looks"][2][0]).last.locator(".cass-tool-line").click()
    comfy.page.wait_for_timeout(500)
    yield comfy.screenshot(FOLDER / f"opened-{palette}.png")
    panel.switch_approvals()
    panel.begin_new_chat()
    for name, calls in QUESTIONS.items():
        if name == "question-missing":
            comfy.page.evaluate(DROP, workflow(stranger))
        model.play(scenario(name, from_stranger(calls, stranger)))
        panel.send(name)
        panel.root.get_by_role("alertdialog").wait_for()
        comfy.page.wait_for_timeout(500)
        yield comfy.screenshot(FOLDER / f"{name}-{palette}.png")
        if name in ALLOWED:
            panel.root.get_by_role("alertdialog").get_by_role("button").first.click()
        else:
            comfy.page.keyboard.press("Escape")
        panel.wait_until_the_turn_is_over()
        if name in ALLOWED:
            panel.tool_card(calls[-1][0]).last.locator(".cass-tool-line").click()
            comfy.page.wait_for_timeout(500)
            yield comfy.screenshot(FOLDER / f"{name}-done-{palette}.png")
    panel.switch_approvals()
    context.close()


if __name__ == "__main__":
    sys.exit(main())

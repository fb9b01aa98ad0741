"""The page that a stranger's workflow was dropped into, beside the panel, and what the panel offers and asks there."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Locator, expect

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.frontends import NODES_2
from tests.host.comfy import ComfyPage
from tests.host.conftest import set_up_scripted_model
from tests.host.panel import Panel
from tests.host.strangers_world import PACKAGE, strangers_world, workflow

STRANGER = Path(__file__).parent / "stranger"
NO_DIALOGS = {
    "Comfy.Workflow.ShowMissingNodesWarning": False,
    "Comfy.Workflow.ShowMissingModelsWarning": False,
}
DROP = """async (workflow) => {
    const file = new File([JSON.stringify(workflow)], "strangers.json", { type: "application/json" });
    await app.handleFile(file);
}"""
NOTE_CLICKS = """addEventListener(
    "click",
    ({ isTrusted, target }) => isTrusted && NOTE_CLICK(target.closest("button")?.textContent.trim() ?? target.tagName),
    true,
)"""

_listening = itertools.count()


@dataclass
class World:
    comfyui: ComfyUIProcess
    url: str
    asked: list[str]

    @property
    def model_files(self) -> list[str]:
        return sorted(path.name for path in self._model_paths())

    def remove_model_files(self) -> None:
        """One test that fails leaves none to the next."""
        for path in self._model_paths():
            path.unlink()

    def _model_paths(self) -> list[Path]:
        return [path for path in (self.comfyui.base / "models").rglob("*") if path.is_file()]


@pytest.fixture(scope="module")
def world(frontend, extension, model_port, tmp_path_factory) -> Iterator[World]:
    base = tmp_path_factory.mktemp(f"stranger-{frontend}")
    (base / "custom_nodes").mkdir()
    for file in STRANGER.glob("*.py"):
        shutil.copy(file, base / "custom_nodes")
    packages = tmp_path_factory.mktemp("packages")
    shutil.copytree(STRANGER / "package", packages / PACKAGE["id"])
    with strangers_world() as (url, asked):
        environment = {
            "COMFYUI_ASSISTANT_DOWNLOAD_HOSTS": url,
            "COMFYUI_ASSISTANT_DOWNLOAD_FROM_THIS_MACHINE": "on",
            "COMFYUI_ASSISTANT_NODE_REGISTRY": url,
            "TEST_PACKAGES": str(packages),
        }
        with running_comfyui(
            base,
            extension=extension,
            frontend=frontend,
            environment=environment,
            settings_of_page=NO_DIALOGS,
        ) as comfyui:
            set_up_scripted_model(comfyui, model_port)
            yield World(comfyui, url, asked)


@pytest.fixture
def dropped(frontend, world, page) -> Iterator[Panel]:
    """The panel, beside the workflow that was dropped into the page."""
    page.goto("about:blank")
    world.remove_model_files()
    comfy = ComfyPage(page, world.comfyui.url)
    comfy.open()
    assert page.evaluate("Boolean(LiteGraph.vueNodesMode)") == (frontend == NODES_2)
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        # ComfyUI's own page asks before it is left with a workflow that is not saved.
        if dialog.type != "beforeunload":
            dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.accept()

    page.on("dialog", note)
    page.evaluate("localStorage.removeItem('comfyui-assistant.left-missing')")
    page.evaluate(DROP, workflow(world.url))
    panel = Panel(page)
    panel.open()
    panel.begin_new_chat()
    world.asked.clear()
    yield panel
    comfy.stop_listening()
    asked_in_the_test = list(dialogs)
    page.goto("about:blank")
    page.remove_listener("dialog", note)
    assert asked_in_the_test == []


def note_clicks(panel: Panel) -> list[str]:
    """The buttons that are clicked from now on, also in the page that begins after a restart."""
    clicks: list[str] = []
    # A page keeps its functions: one that another test has exposed tells that test.
    name = f"noteClick{next(_listening)}"
    script = NOTE_CLICKS.replace("NOTE_CLICK", name)
    # Told at once: the page that begins knows nothing of the clicks in the one before.
    panel.page.expose_function(name, lambda button: clicks.append(button))
    panel.page.add_init_script(script)
    panel.page.evaluate(script)
    return clicks


def offer(panel: Panel) -> Locator:
    """Of help with what the open workflow lacks."""
    return panel.root.get_by_role("status").filter(has_text="This workflow lacks")


def question(panel: Panel) -> Locator:
    return panel.root.get_by_role("alertdialog")


def answer(panel: Panel, words: str, button: str) -> None:
    expect(question(panel)).to_contain_text(words)
    question(panel).get_by_role("button", name=button, exact=True).click()

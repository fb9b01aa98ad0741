"""Skills and rules of the person, dropped in while ComfyUI runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.panel import Panel
from tests.host.scenarios import scenario


@pytest.fixture
def own(comfyui: ComfyUIProcess) -> Iterator[Path]:
    """The folder of what the person wrote; empty again afterwards."""
    folder = comfyui.base / "user" / "__comfyui_assistant"
    yield folder
    (folder / "rules.md").unlink(missing_ok=True)
    shutil.rmtree(folder / "skills", ignore_errors=True)


def test_the_context_names_the_files_that_the_system_message_has_no_room_for(comfy, panel: Panel, model, own):
    (own / "rules.md").write_text("\n".join(f"- Rule {number}." for number in range(40)), "utf-8")
    model.play(scenario("short-answer"))
    panel.ask("hello")

    panel.send("/context")
    panel.root.get_by_text("The system message of this chat has no room for 1 file").click()

    expect(panel.root.get_by_text("rules.md 28 rules")).to_be_visible()
    panel.close_view()
    assert comfy.errors == []

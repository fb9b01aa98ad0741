"""A fault of ours at start is one line in ComfyUI's log and one note in the panel, never a ComfyUI that is down."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from dev.comfyui import CHOSEN
from dev.comfyui_process import running_comfyui
from dev.places import venv_python
from tests.host.installation import install_copy

ENTRY = "__init__.py"


@pytest.fixture
def installed_copy(tmp_path: Path) -> Path:
    """The extension as a person has it in custom_nodes, to be broken."""
    return install_copy(tmp_path / "comfyui-assistant")


@pytest.mark.slow
@pytest.mark.any_frontend
def test_an_import_that_fails_in_any_module_leaves_one_line_that_says_why(installed_copy):
    script = Path(__file__).parent / "load_broken_modules.py"
    ended = subprocess.run(
        [venv_python(CHOSEN.venv), script, CHOSEN.source, installed_copy],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-4000:]
    report = json.loads(ended.stdout.splitlines()[-1])
    # Without __init__.py there is nobody of ours to report; ComfyUI itself says that the import failed.
    report["broken"].pop(ENTRY)

    assert report["others"]
    assert len(report["broken"]) > 30
    for sound in (report["whole"], report["others broken"]):
        assert sound["loaded"]
        assert sound["lines"] == []
        assert "/chat" in sound["routes"]
    for module, result in report["broken"].items():
        assert result["loaded"], module
        assert len(result["lines"]) == 1, (module, result["lines"])
        assert "\n" not in result["lines"][0], module
        assert "ComfyUI Assistant" in result["lines"][0], module
        assert "module_that_is_not_there" in result["lines"][0], module
        assert result["routes"] == ["/assistant/status"], module


@pytest.fixture
def comfyui(frontend, installed_copy, tmp_path):
    """A ComfyUI whose assistant has a module that cannot be imported."""
    module = installed_copy / "engine" / "base" / "messages.py"
    module.write_text(module.read_text() + "\nimport module_that_is_not_there\n")
    with running_comfyui(tmp_path / "base", extension=installed_copy, frontend=frontend) as process:
        yield process


@pytest.mark.slow
@pytest.mark.any_frontend
def test_the_panel_says_why_the_assistant_did_not_start(comfyui, comfy):
    comfy.page.evaluate("() => app.extensionManager.command.execute('ComfyUIAssistant.Open')")

    comfy.page.get_by_text("module_that_is_not_there").wait_for(timeout=15_000)
    assert comfyui.log_text().count("module_that_is_not_there") == 1

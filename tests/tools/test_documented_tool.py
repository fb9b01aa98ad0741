"""The new server tool of docs/developing.md, with its test, works as it is written there."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = "comfyui_assistant"
TEXT = (Path(__file__).resolve().parents[2] / "docs" / "developing.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^```python (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))


def load(path: str, name: str) -> ModuleType:
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    sys.modules[name] = module
    exec(compile(BLOCKS[path], path, "exec"), vars(module))
    return module


async def test_the_documented_tool_passes_its_documented_test(
    services, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"{PACKAGE}.engine.tools.count_models"
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    load("engine/tools/count_models.py", name)
    monkeypatch.setitem(sys.modules, "documented_test", ModuleType("documented_test"))
    test = load("tests/tools/test_count_models.py", "documented_test")
    await test.test_the_files_of_a_folder_are_counted(services)

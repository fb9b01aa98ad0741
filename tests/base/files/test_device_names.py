from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.files.device_names import is_device_name


@pytest.mark.parametrize("name", ["con", "NUL", "Aux.md", "com1.x.safetensors", "lpt¹", "prn .txt"])
def test_a_device_keeps_its_name_whatever_ending_follows(name: str) -> None:
    assert is_device_name(name)


@pytest.mark.parametrize("name", ["console", "com", "com10.md", "a.con", "_aux", ""])
def test_other_names_are_free(name: str) -> None:
    assert not is_device_name(name)

"""Why a type of ComfyUI's own is not there, in a ComfyUI that lacks Python packages."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.any_frontend


def test_a_module_that_did_not_load_for_lack_of_a_package_is_told_with_the_reason(comfy, panel, model):
    if comfy.fetch("/object_info/Canny")["body"]:
        pytest.skip("this ComfyUI has all packages that its modules need")
    look = {"call": "getNodeInfo", "arguments": {"types": ["Canny"]}}
    steps = [{"reply": [look]}, {"reply": [{"say": "It lacks a package."}]}]
    model.play({"about": "A module that did not load.", "steps": steps})
    panel.ask("is Canny there?")
    result = model.requests[-1].messages[-1]["content"]
    assert "Canny is part of ComfyUI, its module nodes_canny did not load: No module named 'kornia'" in result

"""Files that are put into ComfyUI's input folder, or taken out of it, while its page is open."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from dev.comfyui_process import ComfyUIProcess
from tests.host.bridge import Bridge
from tests.host.comfy import GONE_PICTURE

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg=="
)


@pytest.fixture
def photo(comfyui: ComfyUIProcess):
    path = comfyui.base / "input" / f"{GONE_PICTURE}later.png"
    path.parent.mkdir(exist_ok=True)
    yield path
    path.unlink(missing_ok=True)


def read(bridge: Bridge, **arguments) -> str:
    return bridge.call("getWorkflowInfo", arguments)["data"]["text"]


def test_a_file_that_came_later_is_used_and_one_that_went_is_refused(comfy, bridge: Bridge, photo: Path):
    batch = [
        {"op": "add", "type": "LoadImage", "as": "load"},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "load.IMAGE"}},
    ]
    node = bridge.edit(*batch)["data"]["nodes"]["load"]
    assert "undefined" not in read(bridge)
    assert "undefined" not in str(bridge.call("validateWorkflow", {}))
    use = {"op": "set", "nodes": [node], "widgets": {"image": photo.name}}
    assert not bridge.edit(use)["ok"]

    photo.write_bytes(PIXEL)

    assert bridge.edit(use)["ok"]
    assert "(missing)" not in read(bridge)
    assert photo.name in read(bridge, nodeIds=[node])
    assert bridge.call("validateWorkflow", {})["data"]["problems"] == []
    assert comfy.prompt()[node]["inputs"]["image"] == photo.name
    assert bridge.edit({"op": "add", "type": "LoadImage", "widgets": {"image": photo.name}})["ok"]

    photo.unlink()
    assert bridge.call("getWorkflowInfo", {"nodeIds": [node]})["ok"]
    refused = bridge.edit({"op": "add", "type": "LoadImage", "widgets": {"image": photo.name}})
    assert not refused["ok"]
    assert "getAvailableModels" not in str(refused)
    problems = bridge.call("validateWorkflow", {})["data"]["problems"]
    assert photo.name in str(problems)

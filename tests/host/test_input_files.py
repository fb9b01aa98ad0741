"""Files that are put into ComfyUI's input folder, or taken out of it, while its page is open."""

from __future__ import annotations

import base64
import os
import time
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


@pytest.fixture
def made(comfy, comfyui: ComfyUIProcess):
    """Pictures that runs have left, the newest first."""
    folder = comfyui.base / "output"
    folder.mkdir(exist_ok=True)
    names = (f"{GONE_PICTURE}b.png", f"{GONE_PICTURE}a.png")
    for age, name in enumerate(names):
        (folder / name).write_bytes(PIXEL)
        os.utime(folder / name, (time.time() + 60 - age,) * 2)
    yield names
    comfy.clear_graph()  # its nodes ask for them anew
    for name in names:
        (folder / name).unlink(missing_ok=True)


def held(comfy, node: str) -> str:
    """What a run would take, once the page has done what it does with a list that has come."""
    comfy.page.wait_for_timeout(300)
    return comfy.prompt()[node]["inputs"]["image"]


@pytest.mark.nodes_2
def test_a_list_that_the_page_fetches_is_waited_for_and_what_was_asked_for_is_kept(
    comfy, bridge: Bridge, comfyui: ComfyUIProcess, made: tuple[str, str]
):
    newest, older = made

    added = bridge.call("addNode", {"type": "LoadImageOutput", "widgets": {"image": older}})
    assert added["ok"], added
    node = added["data"]["id"]
    assert added["data"]["widgets"]["image"] == held(comfy, node)
    assert older in held(comfy, node)

    left_out = bridge.call("addNode", {"type": "LoadImageOutput"})
    assert left_out["data"]["widgets"]["image"] == held(comfy, left_out["data"]["id"])
    assert newest in held(comfy, left_out["data"]["id"])

    fresh = comfyui.base / "output" / f"{GONE_PICTURE}c.png"
    try:
        fresh.write_bytes(PIXEL)
        later = bridge.edit(
            {"op": "add", "type": "LoadImageOutput", "as": "c", "widgets": {"image": fresh.name}}
        )
        assert later["ok"], later
        assert fresh.name in held(comfy, later["data"]["nodes"]["c"])
        assert older in held(comfy, node)
    finally:
        fresh.unlink()


@pytest.mark.nodes_2
def test_a_loaded_workflow_keeps_its_choice_from_a_list_that_the_page_fetches(
    comfy, bridge: Bridge, made: tuple[str, str]
):
    _newest, older = made
    lines = f'1 LoadImageOutput image="{older} [output]"\n2 PreviewImage images=1.IMAGE'

    applied = bridge.call("applyWorkflow", {"workflow": lines})
    assert applied["ok"], applied
    assert "Otherwise" not in applied["summary"], applied
    assert older in held(comfy, "1")

    beside = bridge.call("applyWorkflow", {"workflow": "7 EmptyImage", "mode": "insert"})
    assert beside["ok"], beside
    assert older in held(comfy, "1")

"""Apps: workflows that ComfyUI's page shows in its App Mode as a few inputs and outputs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.host.bridge import Bridge

pytestmark = pytest.mark.newer_frontend

LINES = "1 EmptyImage width=64\n2 ImageInvert image<1\n3 SaveImage images<2"
FILE_ID = "11111111-2222-4333-8444-555555555555"


def app_data(bridge: Bridge) -> dict[str, Any]:
    return json.loads(bridge.saved())["extra"]["linearData"]


@pytest.fixture
def app(bridge: Bridge) -> str:
    """A file of another ComfyUI, loaded into the open tab; the id of its graph."""
    assert bridge.call("applyWorkflow", {"workflow": LINES})["ok"]
    file = json.loads(bridge.saved())
    inputs = [[f"{FILE_ID}:1:{name}", name] for name in ("width", "color")]
    file["extra"]["linearData"] = {"inputs": inputs, "outputs": ["3"]}
    applied = bridge.call("applyWorkflow", {"workflow": json.dumps({**file, "id": FILE_ID})})
    assert applied["ok"], applied
    return bridge.page.evaluate("() => app.graph.id")


@pytest.mark.slow
def test_the_inputs_of_an_app_go_with_the_tab_that_it_is_loaded_into(bridge: Bridge, app: str) -> None:
    """The tab keeps its own id, by which the chats of a workflow are found."""
    assert app != FILE_ID
    assert app_data(bridge)["inputs"] == [[f"{app}:1:width", "width"], [f"{app}:1:color", "color"]]


def test_what_an_edit_takes_from_an_app_is_told_and_undone(bridge: Bridge, app: str) -> None:
    before = app_data(bridge)

    other = bridge.edit({"op": "replace", "nodes": ["1"], "type": "EmptyLatentImage"}, turn="other")
    assert "The app no longer shows: 1.color." in other["summary"], other
    assert bridge.toggle_turn("other") == []

    bridge.call("getWorkflowInfo", {})
    packed = bridge.edit({"op": "makeSubgraph", "nodes": ["1", "2"]}, turn="packed")
    assert "The app no longer shows: 1.width, 1.color." in packed["summary"], packed
    assert bridge.toggle_turn("packed") == []

    bridge.call("getWorkflowInfo", {})
    lines = {"workflow": "1 EmptyImage width=96\n4 PreviewImage images<1"}
    written = bridge.call("applyWorkflow", lines, turn="written")
    assert "The app no longer shows: 3 SaveImage." in written["summary"], written
    assert app_data(bridge) == {"inputs": before["inputs"], "outputs": []}
    assert bridge.toggle_turn("written") == []
    assert app_data(bridge) == before

"""Packs whose page scripts finish a node a moment after it was made: that belongs to the edit that made it."""

from __future__ import annotations

import pytest

from tests.host.test_editing import UNDO, press

pytestmark = pytest.mark.nodes_2

CAPTURE = """() => {
    const tracker = app.extensionManager.workflow.activeWorkflow.changeTracker;
    (tracker.captureCanvasState ?? tracker.checkState).call(tracker);
}"""

# A page that has just loaded notes no changes yet.
KNOWS_OF_ONE_NODE = f"""() => {{
    ({CAPTURE})();
    return app.extensionManager.workflow.activeWorkflow.changeTracker.activeState.nodes.length === 1;
}}"""


@pytest.fixture(params=["TestLateLooks", "TestLateInput"])
def late(request, comfy, bridge):
    """Adds such a node behind an image; a click of the person follows."""
    image = comfy.add_node("EmptyImage")
    comfy.page.wait_for_function(KNOWS_OF_ONE_NODE)

    def add(turn: str):
        node = {"op": "add", "type": request.param, "inputs": {"image": f"{image}.IMAGE"}}
        done = bridge.edit(node, turn=turn)
        assert done["ok"], done
        comfy.page.wait_for_timeout(100)
        comfy.page.evaluate(CAPTURE)
        return done

    return add


def count(comfy) -> int:
    return comfy.page.evaluate("() => app.graph.nodes.length")


def test_one_ctrl_z_takes_back_a_node_that_a_pack_finished_later(comfy, late):
    late("t")

    press(comfy, UNDO)

    comfy.page.wait_for_function("() => app.graph.nodes.length === 1")


def test_such_a_turn_can_be_undone_and_redone_and_is_not_told_as_the_persons_change(comfy, bridge, late):
    late("t")

    assert "changedByTheUser" not in late("u")["data"]
    assert (bridge.toggle_turn("u"), count(comfy)) == ([], 2)
    comfy.page.wait_for_timeout(100)
    comfy.page.evaluate(CAPTURE)
    assert (bridge.toggle_turn("u"), count(comfy)) == ([], 3)
    comfy.page.wait_for_timeout(100)
    assert (bridge.toggle_turn("t"), count(comfy)) == ([], 2)

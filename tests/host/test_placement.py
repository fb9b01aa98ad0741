"""Where new nodes come to stand in the real page, and that they are seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.host.bridge import Bridge
from tests.host.canvas import (
    boxes,
    contains,
    ids_by_type,
    overlapping,
    put_picture,
    set_nodes_of_2,
    view_far_away,
    visible_area,
)
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel


@pytest.fixture(params=[False, True], ids=["canvas", "nodes-2.0"])
def renderer(comfy: ComfyPage, request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param:
        set_nodes_of_2(comfy, shown=True)
    yield
    if request.param:
        set_nodes_of_2(comfy, shown=False)


def picture_chain(bridge: Bridge) -> dict[str, str]:
    made = bridge.edit(
        {"op": "add", "type": "LoadImage", "as": "load"},
        {"op": "add", "type": "ImageInvert", "as": "invert", "inputs": {"image": "load.IMAGE"}},
        {"op": "add", "type": "PreviewImage", "as": "preview", "inputs": {"images": "invert.IMAGE"}},
        {"op": "add", "type": "SaveImage", "as": "save", "inputs": {"images": "invert.IMAGE"}},
        turn="earlier",
    )
    assert made["ok"], made
    return made["data"]["nodes"]


def test_new_nodes_stand_clear_of_each_other_also_once_their_pictures_are_there(comfy, bridge, renderer):
    put_picture(comfy, "photo.png")
    ids = picture_chain(bridge)
    bridge.edit({"op": "set", "nodes": [ids["load"]], "widgets": {"image": "photo.png"}})
    before = boxes(comfy)
    added = bridge.edit(
        {"op": "add", "type": "EmptyImage", "as": "beside"},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": f"{ids['load']}.IMAGE"}},
        {"op": "insert", "type": "ImageBlur", "to": f"{ids['save']}.images"},
    )
    assert added["ok"], added

    comfy.run()
    comfy.page.wait_for_timeout(1000)

    now = boxes(comfy)
    assert overlapping(now) == []
    stays = {node: [round(edge) for edge in box[:2]] for node, box in before.items() if node != ids["save"]}
    corners = {node: [round(edge) for edge in box[:2]] for node, box in now.items()}
    assert corners.items() >= stays.items()
    blur = now[ids_by_type(comfy)["ImageBlur"]]
    assert now[ids["invert"]][2] <= blur[0]


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_what_is_added_applied_or_arranged_out_of_sight_is_brought_beside_the_panel(
    comfy: ComfyPage, bridge: Bridge
):
    Panel(comfy.page).open()
    view_far_away(comfy)

    picture_chain(bridge)
    assert all(contains(visible_area(comfy), box) for box in boxes(comfy).values())

    view_far_away(comfy)
    bridge.call("arrangeNodes", {})
    assert all(contains(visible_area(comfy), box) for box in boxes(comfy).values())

    text = bridge.call("getWorkflowInfo", {})["data"]["text"]
    for mode in ("replace", "newTab"):
        view_far_away(comfy)
        applied = bridge.call("applyWorkflow", {"workflow": text, "mode": mode})
        assert applied["ok"], applied
        comfy.page.wait_for_timeout(500)
        assert all(contains(visible_area(comfy), box) for box in boxes(comfy).values())


def test_the_view_stays_where_what_is_added_is_in_sight_already(comfy: ComfyPage, bridge: Bridge):
    picture_chain(bridge)
    comfy.page.evaluate("() => { app.canvas.ds.scale = 0.4; app.canvas.ds.offset = [300, 400]; }")

    bridge.call("addNode", {"type": "EmptyImage"})

    assert comfy.page.evaluate("() => [app.canvas.ds.scale, ...app.canvas.ds.offset]") == [0.4, 300, 400]


def frames(comfy: ComfyPage) -> dict[str, list[float]]:
    return comfy.page.evaluate(
        """() => Object.fromEntries((app.graph.groups ?? app.graph._groups).map(({ title, pos, size }) =>
            [title, [pos[0], pos[1], pos[0] + size[0], pos[1] + size[1]]]))"""
    )


def test_an_end_moves_on_with_its_group_and_a_replaced_node_stays_collapsed(comfy: ComfyPage, bridge: Bridge):
    ids = picture_chain(bridge)
    bridge.edit(
        {"op": "remove", "nodes": [ids["preview"]]},
        {"op": "group", "nodes": [ids["invert"], ids["save"]], "title": "Output"},
    )
    before, frame = boxes(comfy), frames(comfy)["Output"]
    comfy.page.evaluate("(id) => { app.graph.getNodeById(id).flags.collapsed = true; }", ids["invert"])

    done = bridge.edit(
        {"op": "insert", "type": "ImageBlur", "to": f"{ids['save']}.images", "as": "blur"},
        {"op": "replace", "nodes": [ids["invert"]], "type": "ImageSharpen"},
    )
    assert re.search(rf"Moved: {ids['save']} SaveImage \d+ px right\.", done["summary"]), done

    now, blur = boxes(comfy), done["data"]["nodes"]["blur"]
    assert now[ids["save"]][1] == before[ids["save"]][1]
    assert now[ids["invert"]][:2] == before[ids["invert"]][:2]
    assert now[ids["invert"]][2] <= now[blur][0] < now[blur][2] <= now[ids["save"]][0]
    assert all(contains(frames(comfy)["Output"], now[node]) for node in (ids["invert"], blur, ids["save"]))
    assert frames(comfy)["Output"][:2] == frame[:2]
    assert comfy.page.evaluate("(id) => app.graph.getNodeById(id).flags.collapsed", ids["invert"])


def test_a_group_is_laid_out_where_it_is_and_its_frame_can_be_taken_away(comfy: ComfyPage, bridge: Bridge):
    ids = picture_chain(bridge)
    bridge.edit({"op": "group", "nodes": [ids["load"], ids["invert"]], "title": "Input"})
    frame, others = (
        frames(comfy)["Input"],
        {node: boxes(comfy)[node] for node in (ids["preview"], ids["save"])},
    )

    arranged = bridge.call("arrangeNodes", {"nodes": ["Input"]})

    assert arranged["ok"], arranged
    assert "No room" not in arranged["summary"]
    assert frames(comfy)["Input"][:2] == frame[:2]
    assert all(contains(frames(comfy)["Input"], boxes(comfy)[ids[name]]) for name in ("load", "invert"))
    assert {node: boxes(comfy)[node] for node in others} == others
    assert bridge.edit({"op": "remove", "nodes": ['group "Input"']})["summary"].startswith(
        'Removed group "Input"'
    )
    assert "Input" not in frames(comfy)
    assert len(boxes(comfy)) == 4


def test_a_frame_goes_with_all_its_nodes_also_where_the_batch_takes_one_away_and_lets_one_grow(
    comfy: ComfyPage, bridge: Bridge
):
    ids = picture_chain(bridge)
    for name, title in (("load", "First"), ("invert", "Second"), ("save", "Third")):
        bridge.edit({"op": "group", "nodes": [ids[name]], "title": title})
    before, nodes = frames(comfy), boxes(comfy)

    moved = bridge.edit(
        {"op": "remove", "nodes": ['group "First"']},
        {"op": "move", "nodes": [ids["save"]], "position": {"x": 3000, "y": 3000}},
        {"op": "add", "type": "PreviewImage", "as": "look", "inputs": {"images": f"{ids['invert']}.IMAGE"}},
    )

    assert moved["ok"], moved
    after, now = frames(comfy), boxes(comfy)
    assert after.keys() == {"Second", "Third"}
    way = [now[ids["save"]][axis] - nodes[ids["save"]][axis] for axis in (0, 1)]
    assert [after["Third"][axis] - before["Third"][axis] for axis in (0, 1)] == pytest.approx(way)
    assert contains(after["Third"], now[ids["save"]])
    assert contains(after["Second"], now[ids["invert"]])

"""Pictures and films that carry a stranger's workflow, dropped onto the canvas."""

from __future__ import annotations

import base64
import json
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.host.panel import Panel
from tests.host.scenarios import scenario
from tests.host.strangers_page import answer, dropped, note_clicks, offer, question, world
from tests.host.strangers_world import FILES, PICKLE, workflow
from tests.pictures_of_comfyui import mp4, png, webp

__all__ = ["dropped", "world"]

DROP_ON_CANVAS = """([name, type, content]) => {
    const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
    const drag = { bubbles: true, cancelable: true, clientX: 500, clientY: 200, dataTransfer: new DataTransfer() };
    drag.dataTransfer.items.add(new File([bytes], name, { type }));
    for (const kind of ["dragenter", "dragover", "drop"])
        app.canvas.canvas.dispatchEvent(new DragEvent(kind, drag));
}"""
MADE_FILES = {
    "theirs.png": ("image/png", png),
    # ComfyUI's older page finds nothing behind a picture of an odd length.
    "theirs.webp": ("image/webp", partial(webp, picture=b"even")),
    "theirs.mp4": ("video/mp4", mp4),
}


def drop_on_canvas(panel: Panel, name: str, made_by: dict[str, Any]) -> None:
    kind, written = MADE_FILES[name]
    content = written({"workflow": json.dumps(made_by)})
    panel.page.evaluate("app.graph.clear()")
    expect(offer(panel)).to_have_count(0)
    panel.page.evaluate(DROP_ON_CANVAS, [name, kind, base64.b64encode(content).decode()])


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE_FILES)
def test_what_a_dropped_picture_or_film_was_made_by_is_helped_like_a_file_of_it(
    frontend, world, dropped, model, name
):
    model.play(scenario("from-elsewhere"))

    drop_on_canvas(dropped, name, workflow(world.url, (PICKLE, "nowhere.safetensors")))

    expect(offer(dropped)).to_contain_text("This workflow lacks 2 models")
    dropped.look_at(f"missing-{frontend}-{name.split('.')[-1]}")
    offer(dropped).get_by_role("button", name="Get all").click()
    expect(question(dropped)).to_contain_text(PICKLE)
    question(dropped).get_by_role("button", name="Deny").click()
    dropped.wait_until_the_turn_is_over()
    assert world.model_files == []


@pytest.mark.slow
@pytest.mark.nodes_2
def test_two_clicks_lead_from_a_dropped_picture_to_one_of_ones_own(frontend, world, dropped, model):
    model.play(scenario("from-elsewhere"))
    clicks = note_clicks(dropped)
    drop_on_canvas(dropped, "theirs.png", workflow(world.url))

    offer(dropped).get_by_role("button", name="Get all").click()
    answer(dropped, "Then ComfyUI restarts", "Do it")

    picture = dropped.tool_card("executeWorkflow").locator("img")
    expect(picture).to_have_js_property("naturalWidth", 64, timeout=120_000)
    dropped.wait_until_the_turn_is_over()
    assert dropped.answer() == "Here is your first picture."
    assert clicks == ["Get all", "Do it"]
    assert world.model_files == sorted(FILES)
    assert dropped.tools_by_state() == [("findMissing", "succeeded"), ("executeWorkflow", "succeeded")]
    dropped.look_at(f"missing-{frontend}-png-picture")

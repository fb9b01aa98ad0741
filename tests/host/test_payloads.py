"""Hostile texts in every place of the panel: nothing of them runs, loads or stands there as an element."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Dialog, Page, Request, expect

from dev.comfyui_process import ComfyUIProcess
from tests.host.comfy import ComfyPage
from tests.host.conftest import set_up_scripted_model
from tests.host.panel import Panel
from tests.host.payloads import payloads
from tests.host.planting import write_chats

pytestmark = pytest.mark.any_frontend

PAYLOADS = payloads()
# In what the panel shows: elements that run or load by themselves, and attributes that do.
ELEMENTS = """() => {
    const NAMES = ["src", "srcset", "href", "xlink:href", "data", "poster", "action", "style", "background"];
    const found = [];
    for (const root of document.querySelectorAll(".cass-root, .cass-root [popover], dialog, [role=alertdialog]"))
        for (const element of root.querySelectorAll("*")) {
            const handlers = [...element.attributes].filter(({ name }) => /^on/i.test(name));
            const values = NAMES.map((name) => element.getAttribute(name) ?? "");
            const loads = !element.matches("a") && values.some((value) => value.includes("evil.test"));
            const runs = values.some((value) => /ranPayload|^\\W*(javascript|vbscript|file|blob):/i.test(value));
            const isActive = element.matches("script, iframe, object, embed, base, meta, link, animate, set");
            if (handlers.length || loads || runs || isActive) found.push(element.outerHTML.slice(0, 200));
        }
    return found;
}"""
# Every fourth: what stands in all of them is the same JSON.
UNFOLD = """() => {
    const lines = [...document.querySelectorAll(".cass-message [aria-expanded=false]")];
    for (const line of lines.filter((_, number) => number % 4 === 0)) line.click();
}"""
ADD_NOTES = """(titles) => {
    for (const title of titles) {
        const note = LiteGraph.createNode("Note");
        note.title = title;
        app.graph.add(note);
    }
}"""


class Watch:
    """What the page asked for and what it opened because of a payload."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._own = urlsplit(url).netloc
        self.wrong: list[str] = []
        page.on("request", self._note)
        page.on("dialog", self._answer)
        page.context.on("page", self._note_opened)

    def end(self) -> None:
        self._page.remove_listener("request", self._note)
        self._page.remove_listener("dialog", self._answer)
        self._page.context.remove_listener("page", self._note_opened)

    def _answer(self, dialog: Dialog) -> None:
        """ComfyUI asks before a changed workflow is left; whatever else asks is a payload."""
        if dialog.type != "beforeunload":
            self.wrong.append(f"dialog {dialog.message}")
        dialog.accept()

    def _note_opened(self, page: Page) -> None:
        self.wrong.append(f"opened {page.url}")

    def _note(self, request: Request) -> None:
        address = urlsplit(request.url)
        if "evil" in address.netloc or (address.netloc == self._own and address.path.endswith(("/x", "/p"))):
            self.wrong.append(f"{request.resource_type} {request.url}")

    def check(self, place: str) -> None:
        assert self.wrong == [], place
        assert self._page.evaluate("() => window.ranPayload") is None, place
        assert self._page.evaluate(ELEMENTS) == [], place
        assert urlsplit(self._page.url).netloc == self._own, place


def said(kind: str) -> list[dict[str, Any]]:
    return [{"type": kind, "text": payload, "state": "done"} for payload in PAYLOADS]


def calls() -> list[dict[str, Any]]:
    shapes: Sequence[Callable[[str], tuple[str, Any, Any]]] = (
        lambda text: (
            "editWorkflow",
            {"operations": [{"op": "set", "nodes": [text], "title": text}]},
            {"changes": [text]},
        ),
        lambda text: ("searchInstalledNodes", {"query": text}, {"nodes": [{"type": text, "title": text}]}),
        lambda text: ("getNodeInfo", {"types": [text]}, {text: text}),
        lambda text: ("getUserSkill", {"name": text}, {"text": text}),
        lambda text: (
            "viewImages",
            {"images": [text]},
            {"images": [{"url": text, "source": text, "caption": text}]},
        ),
        lambda text: (
            "executeWorkflow",
            {"until": text},
            {"outputs": [{"url": text, "filename": text, "type": text}]},
        ),
        lambda text: ("downloadModel", {"url": text, "folder": text}, {"path": text}),
        lambda text: ("getWorkflowInfo", {"file": text}, {"text": text}),
        lambda text: (text[:60], {text: text}, {text: text}),
    )
    parts: list[dict[str, Any]] = []
    for number, (text, shape) in enumerate(zip(PAYLOADS, cycle(shapes))):
        tool, arguments, data = shape(text)
        output = {"ok": True, "summary": text, "data": data}
        if number % 2:
            output = {"ok": False, "error": text, "hint": text}
        parts.append(
            {
                "type": f"tool-{tool}",
                "toolCallId": f"c{number}",
                "state": "output-available",
                "input": arguments,
                "output": output,
            }
        )
    return parts


def notices() -> list[dict[str, Any]]:
    said = [{"type": "data-notice", "data": {"code": text[:40], "message": text}} for text in PAYLOADS]
    failed = [
        {"type": "data-error", "data": {"code": "x", "message": text, "hint": text, "retryable": False}}
        for text in PAYLOADS[::5]
    ]
    return [*said, *failed]


def files() -> list[dict[str, Any]]:
    return [
        {
            "type": "file",
            "filename": text,
            "mediaType": "image/png" if number % 2 else "text/plain",
            "url": text,
        }
        for number, text in enumerate(PAYLOADS)
    ]


CHATS: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "answers": ([{"type": "text", "text": "Go on."}], said("text")),
    "thoughts": ([{"type": "text", "text": "Go on."}], said("reasoning")),
    "messages": (said("text"), [{"type": "text", "text": "Read."}]),
    "files": (files(), [{"type": "text", "text": "Read."}]),
    "cards": ([{"type": "text", "text": "Go on."}], calls()),
    "notices": ([{"type": "text", "text": "Go on."}], notices()),
}


def plant(folder: Path) -> None:
    """Chats as they would be kept: one for each place, and one with each payload as its title and its message."""
    from comfyui_assistant.engine.store.log.event_log import LogEvent
    from comfyui_assistant.engine.store.log.thread_writer import append_events
    from comfyui_assistant.engine.store.thread_list import change_thread, create_thread

    def write(connection: Any) -> None:
        for number, text in enumerate(PAYLOADS):
            thread_id = create_thread(connection).id
            words = f"found{number // 20} {text}"
            user = LogEvent("user", f"u{number}", {"parts": [{"type": "text", "text": words}]})
            append_events(connection, thread_id, [user])
            change_thread(connection, thread_id, title=text)
        for name, (question, answer) in CHATS.items():
            thread_id = create_thread(connection).id
            asked = LogEvent("user", f"u-{name}", {"parts": question})
            step = LogEvent("step", f"a-{name}", {"parts": [{"type": "step-start"}, *answer]})
            append_events(connection, thread_id, [asked, step])
            change_thread(connection, thread_id, title=f"planted {name}")

    write_chats(folder, write)


@pytest.fixture
def data(comfyui: ComfyUIProcess, model_port: int) -> Iterator[Path]:
    """The assistant's folder; as it was afterwards, but for the chats, which the next test deletes."""
    folder = comfyui.base / "user" / "__comfyui_assistant"
    yield folder
    shutil.rmtree(folder / "skills", ignore_errors=True)
    set_up_scripted_model(comfyui, model_port)


@pytest.mark.slow
def test_no_payload_runs_or_loads_or_is_an_element_anywhere(
    comfy: ComfyPage,
    panel: Panel,
    model,
    comfyui: ComfyUIProcess,
    model_port: int,
    data: Path,
):
    assert len(PAYLOADS) >= 500
    for number, some in enumerate(batches(20)):
        folder = data / "skills" / f"planted-{number}"
        folder.mkdir(parents=True)
        description = "\n  ".join(" ".join(text.split()) for text in some)
        (folder / "SKILL.md").write_text(f"---\ndescription: |\n  {description}\n---\nDo it.", "utf-8")
    plant(data)
    watch = Watch(comfy.page, comfyui.url)
    comfy.reload()
    panel = Panel(comfy.page)
    panel.open()

    panel.open_chats()
    expect(comfy.page.locator(".cass-chat-item")).not_to_have_count(0)
    expect(panel.chat("planted notices")).to_be_visible()
    watch.check("the titles of chats")
    for number in range(0, len(PAYLOADS) // 20, 4):
        comfy.page.get_by_label("Search all chats").fill(f"found{number}")
        expect(comfy.page.get_by_label("Found messages").locator("li").first).to_contain_text(
            f"found{number} "
        )
        watch.check("the hits of a search")
    comfy.page.get_by_label("Search all chats").fill("")
    for name in CHATS:
        panel.open_chats() if not panel.chat(f"planted {name}").is_visible() else None
        panel.chat(f"planted {name}").get_by_role("button").first.click()
        expect(panel.messages).to_have_count(2)
        comfy.page.evaluate(UNFOLD)
        watch.check(name)

    panel.begin_new_chat()
    panel.composer.press_sequentially("/skill pl")
    expect(panel.page.get_by_role("option").first).to_be_visible()
    watch.check("the descriptions of skills")
    panel.composer.fill("")

    comfy.page.evaluate(ADD_NOTES, PAYLOADS[:200])
    model.play(
        {
            "about": "Reads.",
            "steps": [
                {"reply": [{"call": "getWorkflowInfo", "arguments": {"values": "full"}}]},
                {"reply": [{"say": "\n\n".join(PAYLOADS[::3])}]},
            ],
        }
    )
    panel.send("\n".join(PAYLOADS))
    panel.wait_until_the_turn_is_over()
    comfy.page.evaluate(UNFOLD)
    watch.check("a message, titles of nodes and an answer as it streams")
    for page in ("Window", "Sent"):
        panel.send("/context") if not panel.root.get_by_role("tab", name=page).is_visible() else None
        panel.root.get_by_role("tab", name=page).click()
        watch.check(f"the context's page {page}")
    panel.close_view()
    panel.send("/skills")
    panel.root.get_by_role("region", name="All skills").get_by_role("button").first.click()
    expect(panel.root.get_by_role("button", name="Export")).to_be_visible()
    watch.check("the page of skills")
    panel.close_view()

    name = " ".join(islice(PAYLOADS, 0, 200, 40))
    comfyui.save_assistant_settings(
        baseUrl=f"http://127.0.0.1:{model_port}/v1", model=name, apiKey="key-for-tests"
    )
    comfy.reload()
    panel.open()
    watch.check("the name of a model")
    panel.root.get_by_role("button", name="Settings", exact=True).click()
    watch.check("the settings")
    panel.close_view()
    watch.end()
    assert comfy.errors == []


def batches(size: int) -> list[list[str]]:
    return [PAYLOADS[at : at + size] for at in range(0, len(PAYLOADS), size)]

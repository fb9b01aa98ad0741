"""A turn that several pages show: tabs of one browser, and pages of another one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Page

from tests.host.comfy import ComfyPage
from tests.host.panel import Panel

ADDS_IN_THE_MIDDLE = {
    "about": "Text, a browser tool, and text again, slowly.",
    "steps": [
        {
            "reply": [
                {"say": [f"a{n} " for n in range(30)]},
                {"call": "addNode", "arguments": {"type": "EmptyImage"}},
            ]
        },
        {"reply": [{"say": [f"b{n} " for n in range(30)]}]},
    ],
    "pace": 0.1,
}

RUNS_AT_ONCE = {
    "about": "A run, and text after it, slowly.",
    "steps": [{"reply": [{"call": "executeWorkflow"}]}, ADDS_IN_THE_MIDDLE["steps"][1]],
    "pace": 0.1,
}

BOTH = "".join(f"a{n} " for n in range(30)), "".join(f"b{n} " for n in range(30))
LONG = [f"a{n} " for n in range(600)]


def calls_late(call: str, **arguments: str) -> dict[str, object]:
    """After a minute, or as soon as `model.hurry` says that all pages are there."""
    reply = [{"say": LONG}, {"call": call, "arguments": arguments}]
    return {**ADDS_IN_THE_MIDDLE, "steps": [{"reply": reply}, ADDS_IN_THE_MIDDLE["steps"][1]]}


def reopened(page) -> Panel:
    panel = Panel(page)
    panel.open()
    return panel


def _loaded(page: Page, url: str, before: str) -> ComfyPage:
    page.add_init_script(before)
    page.goto(url, wait_until="domcontentloaded")
    loaded = ComfyPage(page, url)
    loaded.wait_until_ready()
    return loaded


@contextmanager
def another_tab(comfy: ComfyPage) -> Iterator[tuple[ComfyPage, Panel]]:
    """It shows the same chat, over an empty graph."""
    kept = comfy.page.evaluate("() => ({ ...sessionStorage })")
    page = comfy.page.context.new_page()
    try:
        other = _loaded(
            page,
            comfy.url,
            f"if (!sessionStorage.length) for (const [key, value] of Object.entries({kept!r})) "
            "sessionStorage.setItem(key, value);",
        )
        other.clear_graph()
        yield other, reopened(page)
    finally:
        page.close()


@contextmanager
def another_browser(comfy: ComfyPage, context: BrowserContext) -> Iterator[tuple[ComfyPage, Panel]]:
    """It shows the chat that the first one has by then, and has nothing in common with it but the server."""
    thread = comfy.page.evaluate("() => sessionStorage.getItem('comfyui-assistant.thread')")
    page = context.new_page()
    try:
        other = _loaded(
            page,
            comfy.url,
            "if (!sessionStorage.length && !window.name)"
            f" sessionStorage.setItem('comfyui-assistant.thread', {thread!r});",
        )
        yield other, reopened(page)
    finally:
        page.evaluate("() => localStorage.clear()")
        page.close()


def runs_so_far(comfy: ComfyPage) -> int:
    return len(comfy.fetch("/history?max_items=10000")["body"])

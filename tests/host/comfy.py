"""ComfyUI's page as the tests see it: opened, emptied, read back, and listened to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Error, Page
from playwright.sync_api import TimeoutError as NotInTime

from dev.comfyui import CHOSEN

READY = (
    "() => Boolean(window.LiteGraph && window.app?.graph && app.extensionManager?.workflow?.activeWorkflow)"
)
SECONDS_TO_OPEN = 60
FORGET_ALL = "() => { localStorage.clear(); sessionStorage.clear(); }"
ONE_UNNAMED = """() => {
    const open = window.app?.extensionManager?.workflow?.openWorkflows ?? [];
    return open.length === 1 && open[0].isTemporary && open[0].filename.startsWith("Unsaved Workflow");
}"""

CLOSE_ALL_WORKFLOWS = """async () => {
    const { command, workflow } = app.extensionManager;
    const others = [...workflow.openWorkflows];
    await command.execute("Comfy.NewBlankWorkflow");
    for (const other of others) await workflow.closeWorkflow(other);
    localStorage.clear();
    sessionStorage.clear();
}"""

GONE_PICTURE = "photo-of-"
"""How those begin that tests take away: ComfyUI's page goes on asking for them, and offering them, long after."""

# What ComfyUI's own page reports without any extension: parts of a message, or of the address it is about.
KNOWN_NOISE = (
    GONE_PICTURE,
    "api.comfy.org",
    "ERR_NAME_NOT_RESOLVED",
    "ERR_INTERNET_DISCONNECTED",
    "user.css",
    "comfy.templates.json",
    "/api/jobs",
    "[Jobs API]",
    "/favicon.ico",
    "JobsApiError",
    "Cannot read properties of undefined (reading 'id')",
    "Content Security Policy",
    "Content-Security-Policy",
    # A page that is left before it had all of its own parts.
    "vendor-three",
    "ComfyApp graph accessed before initialization",
)


class ComfyPage:
    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.errors: list[str] = []
        page.on("console", self._note_console)
        page.on("pageerror", self._note_uncaught)

    def open(self) -> None:
        """Open ComfyUI as on a first visit, wait until its graph can be used, and empty it."""
        self.page.goto(self.url, wait_until="domcontentloaded")
        try:
            self.wait_until_ready()
        except NotInTime:
            # It remembers a workflow whose file a test removed, and waits for it in vain: frontend 1.58.1 does so
            # without any extension, once another tab that had the workflow open was closed.
            self.page.evaluate(FORGET_ALL)
            self.reload()
        self.page.evaluate(FORGET_ALL)
        self.clear_graph()

    def is_as_on_a_first_visit(self) -> bool:
        """Whether the one workflow that is open has no name yet, as opposed to one that a test dropped or saved."""
        return self.page.evaluate(ONE_UNNAMED)

    def close_workflows(self) -> None:
        """Close all that are open, unsaved as they are, for a new one."""
        self.page.evaluate(CLOSE_ALL_WORKFLOWS)

    def leave(self) -> None:
        """Have the next test open a page that remembers nothing of this one."""
        if self.page.url.startswith(self.url):
            self.page.evaluate(FORGET_ALL)
        self.page.goto("about:blank")

    def stop_listening(self) -> None:
        self.page.remove_listener("console", self._note_console)
        self.page.remove_listener("pageerror", self._note_uncaught)

    def reload(self) -> None:
        if not CHOSEN.is_pinned:  # a page of 1.49 keeps what is open half a second after it was changed
            self.page.wait_for_timeout(1000)
        self.page.reload(wait_until="domcontentloaded")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        self.page.wait_for_function(READY, timeout=SECONDS_TO_OPEN * 1000)

    def clear_graph(self) -> None:
        """Also of the pictures of runs, which would show on the next nodes of the same ids."""
        self.page.evaluate("() => { app.clean(); app.graph.clear(); }")

    def prompt(self) -> dict[str, dict[str, Any]]:
        """The graph in ComfyUI's API form: what a run would execute, by node id."""
        return self.page.evaluate("async () => (await app.graphToPrompt()).output")

    def node_types(self) -> list[str]:
        return self.page.evaluate("() => app.graph.nodes.map((node) => node.type).sort()")

    def add_node(self, node_type: str, **widgets: Any) -> str:
        """Add a node as a person would, and return its id."""
        return self.page.evaluate(
            """([type, widgets]) => {
                const node = LiteGraph.createNode(type);
                app.graph.add(node);
                for (const [name, value] of Object.entries(widgets))
                    node.widgets.find((widget) => widget.name === name).value = value;
                return String(node.id);
            }""",
            [node_type, widgets],
        )

    def title(self, node: str) -> str:
        """`EmptyImage` on an older ComfyUI, `Empty Image` on a newer one."""
        return self.page.evaluate(
            "(id) => app.graph.nodes.find((node) => String(node.id) === id).title", node
        )

    def connect(self, source: str, output: str, target: str, target_input: str) -> None:
        self.page.evaluate(
            """([source, output, target, input]) => {
                const byId = (id) => app.graph.nodes.find((node) => String(node.id) === id);
                if (!byId(source).connect(output, byId(target), input)) throw new Error("not connected");
            }""",
            [source, output, target, target_input],
        )

    def run(self) -> None:
        """Run the workflow as the Run button does, and wait until ComfyUI says that it ended."""
        self.page.evaluate(
            """() => new Promise((resolve, reject) => {
                const { api } = window.comfyAPI.api;
                api.addEventListener("execution_success", resolve, { once: true });
                api.addEventListener("execution_error", (event) => reject(event.detail), { once: true });
                app.queuePrompt(0, 1);
            })"""
        )

    def wait_until(self, is_true: Callable[[], bool], *, seconds: float = 10) -> None:
        """Ask again and again, for what the page shows before the server knows it."""
        for _ in range(int(seconds * 10)):
            if is_true():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"not within {seconds} seconds")

    def wait_until_running(self, count: int, *, seconds: float = 10) -> None:
        """Wait until this many prompts are being executed."""
        self.page.evaluate(
            """async ([count, deadline]) => {
                const ends = performance.now() + deadline;
                while ((await (await fetch("/queue")).json()).queue_running.length !== count) {
                    if (performance.now() > ends) throw new Error(`not ${count} running`);
                    await new Promise((resolve) => setTimeout(resolve, 50));
                }
            }""",
            [count, seconds * 1000],
        )

    def fetch(self, path: str, *, method: str = "GET", body: Any = None) -> dict[str, Any]:
        """A request as the panel makes it. Returns the status and the parsed body."""
        return self.page.evaluate(
            """async ([path, method, body]) => {
                const init = { method, headers: { "Content-Type": "application/json" } };
                if (body !== null) init.body = JSON.stringify(body);
                const response = await window.comfyAPI.api.api.fetchApi(path, init);
                const text = await response.text();
                return { status: response.status, body: text ? JSON.parse(text) : null };
            }""",
            [path, method, body],
        )

    def delete_all_chats(self) -> None:
        """In one call of the page: most tests begin with it."""
        self.page.evaluate(
            """async () => {
                const { api } = window.comfyAPI.api;
                const { threads } = await (await api.fetchApi("/assistant/threads")).json();
                const init = { method: "DELETE", headers: { "Content-Type": "application/json" } };
                for (const { id } of threads) {
                    const { ok, status } = await api.fetchApi(`/assistant/threads/${id}`, init);
                    if (!ok) throw new Error(`a chat was not deleted: ${status}`);
                }
            }"""
        )

    def screenshot(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)
        return path

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(message.text, message.location.get("url", ""))

    def _note_uncaught(self, error: Error) -> None:
        self._note(f"uncaught: {error.message}", error.stack or "")

    def _note(self, text: str, place: str) -> None:
        if not any(noise in text or noise in place for noise in KNOWN_NOISE):
            self.errors.append(f"{text} ({place})" if place else text)

"""The panel in a page without ComfyUI: the assistant's own routes behind it, and a graph in memory."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

from aiohttp import web
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy

from dev.fake_page import FAKE_PAGE_FILES
from dev.processes import free_port
from tests.host.comfy import ComfyPage
from tests.running_assistant import RunningAssistant, running_assistant

PAGE_ID = "the-page"
READY = "() => Boolean(window.fakeComfy)"
PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>The panel</title>
    <link rel="icon" href="data:,">
    {styles}
  </head>
  <body>
    <div id="canvas"></div>
    <script>
      if (location.hash === "#first-visit") {{
        localStorage.clear();
        sessionStorage.clear();
        history.replaceState(null, "", location.pathname + location.search);
      }}
    </script>
    <div id="bottom-panel" hidden><div id="panel"></div></div>
    <script type="module" src="{files}/panel.mjs"></script>
  </body>
</html>
"""
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301"
    "0100c9fe92ef0000000049454e44ae426082"
)
"""A red pixel."""


class FakePage(ComfyPage):
    """It is read and changed by the same names as ComfyUI's page, as far as that has no canvas."""

    def open(self) -> None:
        """Open the page as on a first visit."""
        self.page.goto(f"{self.url}#first-visit", wait_until="domcontentloaded")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        self.page.wait_for_function(READY)

    def reload(self) -> None:
        """Load the page anew; its graph is empty then."""
        self.page.reload(wait_until="domcontentloaded")
        self.wait_until_ready()

    def node_types(self) -> list[str]:
        return self.page.evaluate("() => fakeComfy.graph().nodes.map(({ type }) => type).sort()")

    def add_node(self, node_type: str, **widgets: Any) -> str:
        return self.page.evaluate(
            """([type, widgets]) => fakeComfy.edit((editor) => {
                const node = editor.addNode(type);
                for (const [name, value] of Object.entries(widgets)) editor.setWidget(node, name, value);
                return node;
            })""",
            [node_type, widgets],
        )


class ServerThread:
    """An event loop in a thread of its own, in which assistants run, since the tests are not asynchronous.

    All have the same address, one after the other: at a new one the browser begins a process, and compiles all anew.
    """

    def __init__(self) -> None:
        self._port = free_port()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="assistant", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=60)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._loop.close()

    @contextmanager
    def assistant(self, data: Path, files: str, **settings: str) -> Iterator[RunningAssistant]:
        """An assistant of its own with the page at its address, which loads the panel from the address `files`."""
        stack = AsyncExitStack()

        async def begin() -> RunningAssistant:
            running = await stack.enter_async_context(
                running_assistant(data, {}, routes=page_routes(files), port=self._port)
            )
            cast("FakeComfy", running.assistant.host).open_pages.add(PAGE_ID)
            saved = await running.call("PUT", "/assistant/settings", settings)
            assert saved.status < 300, saved.body
            return running

        try:
            yield self.run(begin())
        finally:
            self.run(stack.aclose())

    @contextmanager
    def panel_files(self) -> Iterator[str]:
        """The built panel, which the browser keeps compiled."""
        runner = web.AppRunner(web.Application(middlewares=[_kept_by_browsers]), access_log=None)
        runner.app.add_routes([web.static("/", FAKE_PAGE_FILES)])

        async def begin() -> str:
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            return f"http://127.0.0.1:{runner.addresses[0][1]}"

        try:
            yield self.run(begin())
        finally:
            self.run(runner.cleanup())


@web.middleware
async def _kept_by_browsers(request: web.Request, handler: Any) -> web.StreamResponse:
    response = await handler(request)
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "max-age=86400, immutable"
    return response


def page_routes(files: str) -> list[web.RouteDef]:
    styles = "".join(
        f'<link rel="stylesheet" href="{files}/assets/{file.name}">'
        for file in (FAKE_PAGE_FILES / "assets").glob("*.css")
    )
    page = PAGE.format(files=files, styles=styles)

    async def show_page(_: web.Request) -> web.Response:
        return web.Response(text=page, content_type="text/html")

    async def show_picture(_: web.Request) -> web.Response:
        return web.Response(body=PICTURE, content_type="image/png")

    return [web.get("/", show_page), web.get("/api/view", show_picture)]

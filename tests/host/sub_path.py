"""A reverse proxy that shows a ComfyUI below a path of its own, as notebooks and rented machines do."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from dev.processes import free_port

NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class SubPathProxy:
    """Hands on what is asked below `/comfy/`, without that; whatever else is asked for is not there."""

    def __init__(self, target: str, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/comfy/"
        self.outside: list[str] = []
        """What was asked beside the path."""
        self.has_begun = threading.Event()
        self._port = port
        self._target = urlsplit(target)

    async def serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._is_over = asyncio.Event()
        server = await asyncio.start_server(self._answer, "127.0.0.1", self._port)
        self.has_begun.set()
        await self._is_over.wait()
        server.close()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._is_over.set)

    async def _answer(self, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await browser.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, path, rest = head.split(" ", 2)
            if path.startswith("/comfy/"):
                await self._hand_on(f"{method} /{path.removeprefix('/comfy/')} {rest}", browser, to_browser)
            else:
                self.outside.append(path)
                to_browser.write(NOT_FOUND)
        to_browser.close()

    async def _hand_on(
        self, head: str, browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter
    ) -> None:
        """One request for each connection, but for websockets."""
        if "\r\nupgrade:" not in head.lower():
            head = re.sub(r"(?im)^connection:.*$", "Connection: close\r", head)
        comfyui, to_comfyui = await asyncio.open_connection(self._target.hostname, self._target.port)
        to_comfyui.write(head.encode("latin-1"))
        upwards = asyncio.create_task(_copy(browser, to_comfyui))
        await _copy(comfyui, to_browser)
        upwards.cancel()
        to_comfyui.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()


@contextlib.contextmanager
def below_a_path(target: str) -> Iterator[SubPathProxy]:
    proxy = SubPathProxy(target, free_port())
    thread = threading.Thread(target=lambda: asyncio.run(proxy.serve()), daemon=True)
    thread.start()
    proxy.has_begun.wait(10)
    try:
        yield proxy
    finally:
        proxy.end()
        thread.join(10)

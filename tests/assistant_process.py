"""The assistant in a process of its own, which prints its address and ends with its standard input."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

from aiohttp import ClientSession
from yarl import URL

from dev.places import ROOT

from .running_assistant import RunningAssistant

SCRIPT = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
import tests.conftest
from tests.assistant_process import serve
asyncio.run(serve(*sys.argv[2:]))
"""


class _Address:
    def __init__(self, url: str) -> None:
        self._url = URL(url)

    def make_url(self, path: str) -> URL:
        return self._url.join(URL(path))


async def serve(data: str, base_url: str, page: str, database_url: str = "") -> None:
    """Serve the assistant. `page` is connected to its websocket."""
    from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
    from comfyui_assistant.engine.store import turn_leases

    from .another_process import LEASE_SECONDS
    from .running_assistant import running_assistant

    turn_leases.LEASE_SECONDS = LEASE_SECONDS
    settings = {
        "COMFYUI_ASSISTANT_BASE_URL": base_url,
        "COMFYUI_ASSISTANT_MODEL": "scripted",
        "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "32000",
        **({"COMFYUI_ASSISTANT_DATABASE_URL": database_url} if database_url else {}),
    }
    async with running_assistant(Path(data), settings) as running:
        cast("FakeComfy", running.assistant.host).open_pages.add(page)
        print(running.server.make_url("/"), flush=True)
        await asyncio.to_thread(sys.stdin.read)


@contextmanager
def _started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(ROOT), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()


@asynccontextmanager
async def assistant_process(
    data: Path, base_url: str, *, page: str = "its page", database_url: str = ""
) -> AsyncIterator[tuple[RunningAssistant, subprocess.Popen[str]]]:
    """Run an assistant that is killed at the end. Its `assistant` is None, since it is in another process."""
    with _started(str(data), base_url, page, database_url) as process:
        assert process.stdout is not None
        url = (await asyncio.to_thread(process.stdout.readline)).strip()
        assert url, "the process has not started"
        async with ClientSession() as session:
            yield RunningAssistant(cast(Any, _Address(url)), session, cast(Any, None), data), process

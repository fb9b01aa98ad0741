"""The scripted provider for tests: started on a free port, asked afterwards what it was sent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from aiohttp import web

from .recording import RecordedRequest
from .scenario import Scenario
from .server import Program, ScriptedServer, named_scenario

HOST = "127.0.0.1"


class ScriptedProvider:
    """A model server in this event loop.

        async with ScriptedProvider("red-image", pace=0) as provider:
            ...  # talk to provider.base_url
            assert provider.refusals == []

    `scenario` is a shipped name, a path, a `Scenario`, or one as plain values. `keys` gives names to API keys for
    the records, `required_key` is the name of the only one let in. `chunking` cuts the bytes of every stream
    ("events", "whole", "bytes", "random:7"). `pace` overrides the time between deltas, and is the longest time to
    the first byte; `wait` in a scenario stays as it is. A `program` answers in place of the scenario's steps; its
    rules and its window hold.
    """

    def __init__(
        self,
        scenario: str | Path | Scenario | dict[str, Any] = "red-image",
        *,
        port: int = 0,
        keys: Mapping[str, str] | None = None,
        required_key: str | None = None,
        chunking: str = "events",
        pace: float | None = None,
        program: Program | None = None,
    ) -> None:
        name, parsed = named_scenario(scenario)
        self._server = ScriptedServer(
            parsed,
            name=name,
            keys=keys or {},
            required_key=required_key,
            chunking=chunking,
            pace=pace,
            program=program,
        )
        self._port = port
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> ScriptedProvider:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        # handler_cancellation ends a handler at the moment its client leaves, also while it only waits.
        runner = web.AppRunner(
            self._server.app(), handler_cancellation=True, access_log=None, shutdown_timeout=0.2
        )
        self._runner = runner
        await runner.setup()
        await web.TCPSite(runner, HOST, self._port).start()
        self._port = runner.addresses[0][1]

    async def stop(self) -> None:
        self._server.stopping = True
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self._port}/v1"

    @property
    def requests(self) -> list[RecordedRequest]:
        """The chat requests so far, in the order in which they came."""
        return [record for record in self._server.log.requests if record.path.endswith("/chat/completions")]

    @property
    def other_requests(self) -> list[RecordedRequest]:
        return [
            record for record in self._server.log.requests if not record.path.endswith("/chat/completions")
        ]

    @property
    def refusals(self) -> list[str]:
        """Why requests were answered with 400: a test that sends good requests finds none."""
        return [record.refusal for record in self.requests if record.refusal is not None]

    @property
    def open_streams(self) -> int:
        return self._server.log.open_count

    @property
    def peak_open_streams(self) -> int:
        return self._server.log.peak_open

    def play(self, scenario: str | Path | Scenario | dict[str, Any]) -> None:
        """Switch to another scenario; the record of requests goes on."""
        name, parsed = named_scenario(scenario)
        self._server.play(parsed, name=name)

    def hurry(self) -> None:
        """Without pauses from now on, also in the streams that are open, until the next scenario."""
        self._server.hurry()

    def reset(self) -> None:
        """Forget all requests and attempts."""
        self._server.reset()

    async def wait_until(self, condition: Callable[[], bool], *, seconds: float = 5.0) -> None:
        """Wait for something to be true of the requests, looked at whenever one of them changes."""
        changed = asyncio.Event()
        self._server.log.listeners.append(changed.set)
        try:
            while not condition():
                await asyncio.wait_for(changed.wait(), seconds)
                changed.clear()
        finally:
            self._server.log.listeners.remove(changed.set)


class ScriptedProviderThread:
    """The same in a thread with its own event loop, for tests that are not asynchronous."""

    def __init__(
        self, scenario: str | Path | Scenario | dict[str, Any] = "red-image", **options: Any
    ) -> None:
        self._provider = ScriptedProvider(scenario, **options)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scripted-provider", daemon=True)

    def __enter__(self) -> ScriptedProviderThread:
        self._thread.start()
        self._in_loop(self._provider.start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._in_loop(self._provider.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._loop.close()

    @property
    def base_url(self) -> str:
        return self._provider.base_url

    @property
    def requests(self) -> list[RecordedRequest]:
        return self._provider.requests

    @property
    def other_requests(self) -> list[RecordedRequest]:
        return self._provider.other_requests

    @property
    def refusals(self) -> list[str]:
        return self._provider.refusals

    @property
    def open_streams(self) -> int:
        return self._provider.open_streams

    def play(self, scenario: str | Path | Scenario | dict[str, Any]) -> None:
        async def switch() -> None:
            self._provider.play(scenario)

        self._in_loop(switch())

    def hurry(self) -> None:
        async def end_pauses() -> None:
            self._provider.hurry()

        self._in_loop(end_pauses())

    def reset(self) -> None:
        async def forget() -> None:
            self._provider.reset()

        self._in_loop(forget())

    def wait_until(self, condition: Callable[[], bool], *, seconds: float = 5.0) -> None:
        self._in_loop(self._provider.wait_until(condition, seconds=seconds))

    def _in_loop(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=60)

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.http.chat import send_stream
from comfyui_assistant.engine.http.guard import guard_handler
from comfyui_assistant.engine.stream import sse

from ..talking import talking


async def test_the_report_of_each_step_stays_in_the_answer_for_whoever_debugs_it(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        body = {"messages": [{"id": "u", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]}
        answer = await assistant.call("POST", "/chat?debug=context", body)
        assert "transient" not in answer.one("data-context")


async def test_the_first_request_of_an_answer_is_told_in_its_header(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        answer = await assistant.say("hi", thread=await assistant.new_thread())
    context = answer.one("data-context")["data"]
    assert answer.headers["X-Assistant-Context"] == f"{context['estimatedTokens']}/32000 full"
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert answer.text == "Hello there."


async def test_a_stream_that_cannot_be_written_ends_and_is_not_answered_a_second_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def events() -> Any:
        yield sse.encode({"type": "start", "messageId": "a1"})
        yield sse.encode({"type": "finish", "messageMetadata": object()})

    async def answer(request: web.Request) -> web.StreamResponse:
        return await send_stream(request, events())

    app = web.Application()
    app.router.add_get("/", guard_handler(answer, allowed_hosts=()))
    async with (
        TestServer(app) as server,
        ClientSession() as session,
        session.get(server.make_url("/")) as response,
    ):
        body = await response.read()
    assert body == b'data: {"type":"start","messageId":"a1"}\n\n'
    (line,) = caplog.messages
    assert line.startswith("/: the stream broke off (TypeError: ")


async def test_a_client_that_has_left_before_the_response_begins_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ended = asyncio.Event()

    async def events() -> Any:
        yield sse.encode({"type": "start", "messageId": "a1"})

    async def answer(request: web.Request) -> web.StreamResponse:
        while request.transport is not None and not request.transport.is_closing():
            await asyncio.sleep(0.001)
        try:
            return await send_stream(request, events())
        finally:
            ended.set()

    app = web.Application()
    app.router.add_get("/", guard_handler(answer, allowed_hosts=()))
    # Not a TestServer, which cancels handlers as aiohttp no longer does.
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    await writer.drain()
    await asyncio.sleep(0.05)
    writer.transport.abort()
    await asyncio.wait_for(ended.wait(), 10)
    await asyncio.sleep(0.05)
    await runner.cleanup()
    assert caplog.messages == []

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.http.guarded import guard_handler
from comfyui_assistant.engine.http.sse_response import send_stream


async def test_a_stream_that_cannot_be_written_ends_and_is_not_answered_a_second_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def chunks() -> Any:
        yield {"type": "start", "messageId": "a1"}
        yield {"type": "finish", "messageMetadata": object()}

    async def answer(request: web.Request) -> web.StreamResponse:
        return await send_stream(request, chunks())

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

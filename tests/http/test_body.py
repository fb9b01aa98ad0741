from __future__ import annotations

import asyncio
import json

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.http.body import MAX_BYTES, parse_json, read_json
from comfyui_assistant.engine.http.guard import guard_handler

from ..growth import takes_about_as_long
from ..running_assistant import RunningAssistant


async def test_a_body_that_is_not_compressed_as_it_says_is_refused(assistant: RunningAssistant) -> None:
    headers = {"Content-Encoding": "gzip"}
    refused = await assistant.call("POST", "/chat", b"{}", headers=headers)
    assert (refused.status, refused.error_code) == (400, "invalid_request")
    assert "is not what its Content-Encoding says" in refused.json["error"]["message"]


async def test_a_body_that_never_comes_is_not_waited_for() -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.json_response(await read_json(request, max_seconds=0.1))

    app = web.Application()
    app.router.add_post("/", guard_handler(answer, allowed_hosts=()))
    async with TestServer(app) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: 7000000\r\n\r\n".encode() + b'{"a": "' + b"x" * 50_000)
        refused = await asyncio.wait_for(reader.readuntil(b"}}"), 10)
        writer.close()
    assert refused.startswith(b"HTTP/1.1 408 ")
    assert b'"code": "body_too_slow"' in refused or b'"code":"body_too_slow"' in refused


async def test_a_client_that_leaves_while_it_sends_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    ended = asyncio.Event()

    async def answer(request: web.Request) -> web.Response:
        try:
            return web.json_response(await read_json(request))
        finally:
            ended.set()

    app = web.Application()
    app.router.add_post("/", guard_handler(answer, allowed_hosts=()))
    # As ComfyUI serves: a handler goes on where its client has left.
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: 7000000\r\n\r\n".encode() + b'{"a": "')
    await writer.drain()
    await asyncio.sleep(0.1)
    writer.transport.abort()
    await asyncio.wait_for(ended.wait(), 10)
    await runner.cleanup()
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


def refused_body(body: bytes) -> str:
    with pytest.raises(RequestError) as caught:
        parse_json(body)
    assert 400 <= caught.value.status < 500
    return caught.value.code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param(b"{", "invalid_request", id="no JSON"),
        pytest.param(b"[1]", "invalid_request", id="no object"),
        pytest.param(b'{"a": NaN}', "invalid_request", id="NaN"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", "invalid_request", id="a number of 5,000 digits"),
        pytest.param(b'{"a": "\xff"}', "invalid_request", id="no UTF-8"),
        pytest.param(
            b'{"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "invalid_request", id="10,000 nested arrays"
        ),
        pytest.param(b'{"a":' + b"[" * 2_000_000, "invalid_request", id="2,000,000 nested arrays"),
        pytest.param(b'{"a":[' + b"1," * 1_000_000 + b"1]}", "invalid_request", id="a million numbers"),
    ],
)
def test_a_bad_body_is_refused_with_a_clear_code(body: bytes, code: str) -> None:
    assert refused_body(body) == code


def test_good_bodies_pass() -> None:
    assert parse_json(b"") == {}
    assert parse_json('{"a": "ä😀"}'.encode()) == {"a": "ä😀"}
    assert parse_json(b'{"a": "\\ud83d\\ude00"}') == {"a": "😀"}
    assert parse_json(b'{"a": ["x\\uDE00", {"\\ud83d": 1}]}') == {"a": ["x\ufffd", {"\ufffd": 1}]}


def test_the_largest_text_parses_about_as_fast_as_it_is_decoded() -> None:
    text = json.dumps({"a": "word " * (MAX_BYTES // 5 - 10)}).encode()
    assert takes_about_as_long(lambda: parse_json(text), lambda: json.loads(text.decode()))

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.network.outgoing import (
    UnreadableAnswer,
    outgoing,
    outgoing_to_model,
    read_json_answer,
)
from comfyui_assistant.engine.base.secret import Secret

from dev.places import ROOT


@asynccontextmanager
async def a_server_that_redirects(status: int) -> AsyncIterator[tuple[str, list[str]]]:
    """Its address, and the paths that it was asked for."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        headers = {"Location": "/elsewhere", "Set-Cookie": "who=you"}
        return web.Response(status=status, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app) as server:
        yield str(server.make_url("/")), asked


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_no_redirect_is_followed(status: int, method: str) -> None:
    async with (
        a_server_that_redirects(status) as (address, asked),
        outgoing() as session,
        session.request(method, address + "here") as response,
    ):
        assert response.status == status
    assert asked == ["/here"]


async def test_nobody_can_ask_for_redirects_to_be_followed() -> None:
    async with outgoing() as session:
        with pytest.raises(TypeError):
            session.request("GET", "http://127.0.0.1:9/", allow_redirects=True)


async def test_no_cookie_is_kept() -> None:
    async with a_server_that_redirects(302) as (address, _), outgoing() as session:
        async with session.request("GET", address):
            pass
        async with session.request("GET", address) as response:
            assert "Cookie" not in response.request_info.headers


@pytest.mark.parametrize("status", [302, 307, 308])
async def test_no_redirect_of_a_model_server_is_followed(status: int) -> None:
    from openai import APIStatusError

    async def look(_: object) -> None:
        """Nothing of it matters here."""

    async with a_server_that_redirects(status) as (address, asked):
        client = await asyncio.to_thread(
            outgoing_to_model, address + "v1", Secret("sk-canary"), on_response=look
        )
        with pytest.raises(APIStatusError):
            await client.models.list()
        await client.close()
    assert asked == ["/v1/models"]


_LOADED_BY_A_REQUEST = """
import asyncio, sys
import tests.conftest
from tests.base.network.test_outgoing import Secret, a_server_that_redirects, outgoing_to_model
from openai import APIStatusError

async def look(_):
    pass

async def main():
    async with a_server_that_redirects(302) as (address, _):
        client = await asyncio.to_thread(outgoing_to_model, address, Secret(""), on_response=look)
        before = {*sys.modules}
        try:
            await client.get("/models", cast_to=object)
        except APIStatusError:
            print(sorted({*sys.modules} - before))

asyncio.run(main())
"""


@pytest.mark.slow
def test_the_first_request_to_a_model_loads_nothing_on_the_event_loop() -> None:
    command = [sys.executable, "-c", _LOADED_BY_A_REQUEST]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.stdout.strip() == "[]", ended.stderr


@asynccontextmanager
async def answered(*pieces: bytes, **headers: str) -> AsyncGenerator[aiohttp.ClientResponse, None]:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        for piece in pieces:
            await response.write(piece)
            await asyncio.sleep(0.05)
        return response

    app = web.Application()
    app.router.add_get("/", answer)
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession() as session,
        session.get(server.make_url("/")) as response,
    ):
        yield response


async def test_an_answer_in_pieces_is_read_whole() -> None:
    async with answered(b'{"a": [1, ', b"2, ", b"3]}") as response:
        assert await read_json_answer(response, most_bytes=100) == {"a": [1, 2, 3]}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>", "no JSON"),
        (b"\xff\xfe{", "no JSON"),
        (b'{"a": ' * 100_000, "nested too deeply"),
        (b'{"a": ' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
        (b"[" + b"1, " * 400_000 + b"1]", "longer than 1,000,000 bytes"),
    ],
)
async def test_what_cannot_be_read_says_why(body: bytes, reason: str) -> None:
    async with answered(body) as response:
        with pytest.raises(UnreadableAnswer, match=reason):
            await read_json_answer(response, most_bytes=1_000_000)


async def test_the_limit_counts_what_was_unpacked() -> None:
    packed = gzip.compress(b" " * 20_000_000 + b"1")
    assert len(packed) < 50_000
    headers: dict[str, Any] = {"Content-Encoding": "gzip"}
    async with answered(packed, **headers) as response:
        with pytest.raises(UnreadableAnswer, match="longer"):
            await read_json_answer(response, most_bytes=1_000_000)

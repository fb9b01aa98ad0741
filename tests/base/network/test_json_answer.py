from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.network.json_answer import UnreadableAnswer, read_json_answer


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

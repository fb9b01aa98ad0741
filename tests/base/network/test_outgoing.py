from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.network.outgoing import outgoing, outgoing_to_model
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

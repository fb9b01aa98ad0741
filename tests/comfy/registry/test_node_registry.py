from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer, unused_port
from comfyui_assistant.engine.comfy.registry.node_registry import NodeRegistry, RegistryUnavailable

IMPACT = {
    "id": "comfyui-impact-pack",
    "name": "Impact Pack",
    "description": "Detailers.",
    "repository": "https://github.com/ltdrdata/ComfyUI-Impact-Pack",
    "publisher": {"name": "Dr. Lt"},
    "latest_version": {"version": "8.1.0"},
    "downloads": 5,
}
BARE = {"id": "bare"}


@asynccontextmanager
async def registry(answer):
    """A registry on this machine that answers so, and notes what it was asked."""
    asked = []

    async def search(request):
        asked.append(dict(request.query))
        return await answer(request)

    app = web.Application()
    app.router.add_get("/nodes/search", search)
    async with TestServer(app) as server:
        yield str(server.make_url("")), asked


def answering(**by_parameter):
    async def answer(request):
        nodes = [node for name, found in by_parameter.items() if name in request.query for node in found]
        return web.json_response({"nodes": nodes, "total": len(nodes)})

    return answer


async def test_packages_are_found_by_words():
    async with registry(answering(search=[IMPACT, BARE])) as (url, asked):
        found = await NodeRegistry(url).search("face detailer", limit=5)

    assert asked == [{"search": "face detailer", "limit": "5", "page": "1"}]
    assert [(one.id, one.author, one.version, one.downloads) for one in found] == [
        ("comfyui-impact-pack", "Dr. Lt", "8.1.0", 5),
        ("bare", "", "", 0),
    ]


async def test_an_answer_in_two_pieces_is_one_answer():
    async def in_two(request):
        response = web.StreamResponse()
        await response.prepare(request)
        text = json.dumps({"nodes": [IMPACT, BARE]}).encode()
        for piece in (text[:60], text[60:]):
            await response.write(piece)
            await asyncio.sleep(0.05)
        return response

    async with registry(in_two) as (url, _):
        assert len(await NodeRegistry(url).search("blur", limit=5)) == 2


async def test_for_a_node_type_the_packages_that_bring_it_come_first():
    async with registry(answering(comfy_node_search=[IMPACT], search=[BARE, IMPACT])) as (url, _):
        found = await NodeRegistry(url).search("FaceDetailer", limit=5)

    assert [package.id for package in found] == ["comfyui-impact-pack", "bare"]


async def _slow(_request):
    await asyncio.sleep(5)


async def _redirect(_request):
    raise web.HTTPFound("http://example.org")


async def _html(_request):
    return web.Response(text="<html>", content_type="text/html")


async def _another_form(_request):
    return web.Response(text=json.dumps({"nodes": [7]}))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (_slow, "did not answer within 0.2 s"),
        (_redirect, "status 302"),
        (_html, "no JSON"),
        (_another_form, "another form"),
    ],
)
async def test_an_answer_of_no_use_is_told(answer, reason):
    async with registry(answer) as (url, _):
        with pytest.raises(RegistryUnavailable, match=reason):
            await NodeRegistry(url, seconds=0.2).search("blur", limit=5)


async def test_being_offline_is_told():
    with pytest.raises(RegistryUnavailable, match="there is no connection"):
        await NodeRegistry(f"http://127.0.0.1:{unused_port()}").search("blur", limit=5)

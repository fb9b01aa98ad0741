from __future__ import annotations

import pytest
from aiohttp import web
from comfyui_assistant.engine.base.errors import DownloadError
from comfyui_assistant.engine.comfy.downloads.exchange import RemoteFile, body_offset, read_small

from .stand_in_host import rig, safetensors, whole

MODEL = safetensors()


@pytest.mark.parametrize(
    ("headers", "resumes"), [({"tag": '"one"'}, True), ({"tag": 'W/"one"'}, False), ({"tag": ""}, False)]
)
async def test_only_a_strong_tag_lets_a_file_go_on_in_the_middle(tmp_path, headers, resumes):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL, **headers)}) as one:
        offer = await one.offer()

    assert offer.remote == RemoteFile(len(MODEL), headers["tag"], resumes)


async def test_nothing_but_what_is_needed_is_sent(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        await one.offer()

    [request] = one.requests
    assert set(request.headers) <= {"Host", "Accept", "Accept-Encoding", "User-Agent", "Range"}
    assert request.headers["Accept-Encoding"] == "identity"


async def test_a_proxy_of_the_environment_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        await one.offer()

    assert len(one.requests) == 1


@pytest.mark.parametrize(
    ("status", "content_range", "begin"),
    [(200, "", 0), (206, "bytes 5-9/10", 5), (206, "bytes x-9/10", -1), (206, "", -1)],
)
def test_where_a_body_begins(status, content_range, begin):
    class Response:
        headers = {"Content-Range": content_range}  # noqa: RUF012

    Response.status = status
    assert body_offset(Response()) == begin


async def test_a_long_answer_is_not_read(tmp_path):
    async def long(_request):
        return web.Response(body=b"x" * 500_000)

    async with rig(
        tmp_path, {"/api/models/o/r": long, "/o/r/resolve/main/a.gguf": whole(b"")}, kind="huggingface"
    ) as one:
        offer = await one.offer("/o/r/resolve/main/a.gguf")
        exchange = await one.downloads._trust.exchange(offer.source.host)
        async with (
            exchange.session() as session,
            exchange.get(session, offer.source.facts_url, {}) as (answer, _),
        ):
            assert await read_small(answer, 1_000) == b""


SIGNED = "/a.safetensors?sig=a%2Fb%2Bc%3D%7E&name=%22x%22&plus=1+2"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_signed_address_is_followed_as_it_is(tmp_path, status):
    async def redirect(_request):
        return web.Response(status=status, headers={"Location": SIGNED})

    async with rig(tmp_path, {"/b.safetensors": redirect, "/a.safetensors": whole(MODEL)}) as one:
        await one.offer("/b.safetensors")

    assert one.requests[-1].raw_path == SIGNED


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1\\@evil.example/a",
        "//evil.example/a",
        "http://evil.example#@127.0.0.1/",
        "http://ev①l.example/",
        "\\\\evil.example\\a",
    ],
)
async def test_an_address_that_can_be_read_in_two_ways_is_refused(tmp_path, location):
    async def redirect(_request):
        return web.Response(status=302, headers={"Location": location})

    async with rig(tmp_path, {"/a.safetensors": redirect}) as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer()

    assert refused.value.code == "address_refused"
    assert len(one.requests) == 1

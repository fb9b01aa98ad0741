from __future__ import annotations

import pytest
from aiohttp import web
from comfyui_assistant.engine.models.exchange import RemoteFile, begins_at, read_small

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
    assert begins_at(Response()) == begin


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

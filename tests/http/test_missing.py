from __future__ import annotations

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from ..running_assistant import running_assistant

PACKAGE = {
    "id": "kjnodes",
    "name": "KJNodes",
    "publisher": {"name": "kijai"},
    "repository": "https://github.com/k/k",
    "latest_version": {"version": "1.2.0", "createdAt": "2026-01-02T03:04:05Z"},
}


@pytest.fixture
async def registry():
    asked = []

    async def search(request):
        asked.append(dict(request.query))
        found = [PACKAGE] if request.query["comfy_node_search"] == "ImageResizeKJ" else []
        return web.json_response({"nodes": found})

    async def one(request):
        asked.append(request.match_info["id"])
        if request.match_info["id"] != "kjnodes":
            raise web.HTTPNotFound
        return web.json_response(PACKAGE)

    app = web.Application()
    app.router.add_get("/nodes/search", search)
    app.router.add_get("/nodes/{id}", one)
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/"), asked


@pytest.fixture
async def assistant(tmp_path, registry):
    async with running_assistant(tmp_path, {"COMFYUI_ASSISTANT_NODE_REGISTRY": registry[0]}) as assistant:
        yield assistant


async def test_what_a_workflow_lacks_is_told_and_nobody_is_asked(assistant, registry):
    workflow = {"nodes": [{"id": 7, "type": "VAELoader", "widgets_values": ["new.safetensors"]}]}
    answer = await assistant.call("POST", "/assistant/missing", {"workflow": workflow})

    assert [(one["file"], one["folder"], one["nodes"]) for one in answer.json["models"]] == [
        ("new.safetensors", "vae", ["7 VAELoader"])
    ]
    assert registry[1] == []


async def test_the_registry_tells_who_publishes_a_package(assistant):
    body = {"ids": ["kjnodes", "unknown"], "types": ["ImageResizeKJ", "Nobodys"]}
    answer = (await assistant.call("POST", "/assistant/missing/packages", body)).json

    told = {
        "id": "kjnodes",
        "name": "KJNodes",
        "publisher": "kijai",
        "version": "1.2.0",
        "updated": "2026-01-02",
    }
    assert list(answer["ids"]) == ["kjnodes"]
    assert list(answer["types"]) == ["ImageResizeKJ"]
    assert told.items() <= answer["types"]["ImageResizeKJ"].items()
    assert answer["ids"]["kjnodes"] == answer["types"]["ImageResizeKJ"]


async def test_a_registry_that_cannot_be_asked_is_named(tmp_path):
    async with running_assistant(
        tmp_path, {"COMFYUI_ASSISTANT_NODE_REGISTRY": "http://127.0.0.1:9"}
    ) as assistant:
        answer = await assistant.call("POST", "/assistant/missing/packages", {"ids": ["a"]})

    assert (answer.status, answer.error_code) == (502, "registry_unavailable")


@pytest.mark.parametrize("body", [{}, {"workflow": []}])
async def test_a_body_without_a_workflow_is_refused(assistant, body):
    assert (await assistant.call("POST", "/assistant/missing", body)).error_code == "invalid_request"

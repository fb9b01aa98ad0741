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
BETTER_KNOWN = PACKAGE | {"id": "better-known", "downloads": 7}


@pytest.fixture
async def registry():
    asked = []

    async def search(request):
        asked.append(dict(request.query))
        if request.query["comfy_node_search"] == "Broken":
            raise web.HTTPInternalServerError
        found = [PACKAGE, BETTER_KNOWN] if request.query["comfy_node_search"] == "ImageResizeKJ" else []
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
    assert told.items() <= answer["ids"]["kjnodes"].items()
    assert [one["id"] for one in answer["types"]["ImageResizeKJ"]] == ["better-known", "kjnodes"]
    assert answer["types"]["ImageResizeKJ"][1] == answer["ids"]["kjnodes"]


async def test_each_name_is_asked_about_and_what_was_not_answered_is_named(assistant, registry):
    types = [f"Nobodys{number}" for number in range(40)]
    answer = (await assistant.call("POST", "/assistant/missing/packages", {"types": types})).json
    assert (len(registry[1]), answer) == (40, {"ids": {}, "types": {}})

    body = {"ids": ["kjnodes"], "types": ["Broken", *types]}
    answer = (await assistant.call("POST", "/assistant/missing/packages", body)).json
    assert list(answer["ids"]) == ["kjnodes"]
    assert "Broken" in answer["unanswered"]
    assert answer["why"] == "it answered with status 500"


@pytest.mark.parametrize(
    "body", [{"ids": "a"}, {"types": [7]}, {"ids": ["x" * 201]}, {"types": [str(one) for one in range(201)]}]
)
async def test_names_that_would_not_be_looked_up_are_refused(assistant, registry, body):
    answer = await assistant.call("POST", "/assistant/missing/packages", body)
    assert (answer.status, answer.error_code, registry[1]) == (400, "invalid_request", [])


async def test_a_registry_that_cannot_be_asked_is_named(tmp_path):
    async with running_assistant(
        tmp_path, {"COMFYUI_ASSISTANT_NODE_REGISTRY": "http://127.0.0.1:9"}
    ) as assistant:
        answer = await assistant.call("POST", "/assistant/missing/packages", {"ids": ["a"]})

    assert (answer.status, answer.error_code) == (502, "registry_unavailable")


@pytest.mark.parametrize("body", [{}, {"workflow": []}])
async def test_a_body_without_a_workflow_is_refused(assistant, body):
    assert (await assistant.call("POST", "/assistant/missing", body)).error_code == "invalid_request"

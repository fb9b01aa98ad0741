from __future__ import annotations

from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.llm.known.probe import LocalServer, find_local_servers


def listing(*models: object) -> web.Application:
    async def list_models(_: web.Request) -> web.Response:
        return web.json_response({"data": models})

    app = web.Application()
    app.router.add_get("/v1/models", list_models)
    return app


async def test_servers_that_answer_are_found_with_the_models_that_they_have() -> None:
    async with TestServer(listing({"id": "m"}, {"no": "id"}, 7)) as one, TestServer(listing()) as other:
        ports = [server.make_url("/").port or 0 for server in (one, other)]
        found = await find_local_servers([("a", "A", ports[0]), ("b", "B", ports[1]), ("c", "C", 9)])
    assert found == [
        LocalServer("a", "A", f"http://127.0.0.1:{ports[0]}/v1", ("m",)),
        LocalServer("b", "B", f"http://127.0.0.1:{ports[1]}/v1", ()),
    ]

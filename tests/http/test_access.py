"""What callers from other machines may not do where ComfyUI listens for them, and the code that lets them in."""

from __future__ import annotations

import re

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.comfy.exposure import Exposure
from comfyui_assistant.engine.http import access

from ..running_assistant import running_assistant

LISTENING = Exposure(("0.0.0.0",))
CODE = {"COMFYUI_ASSISTANT_ACCESS_CODE": "open sesame"}


@pytest.fixture
def from_elsewhere(monkeypatch):
    monkeypatch.setattr(access, "is_local_request", lambda _: False)


@pytest.fixture
async def inner_server():
    async def secret(_: web.Request) -> web.Response:
        return web.Response(status=500, text="internal: db_password=hunter2")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", secret)
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/")


FETCHES = [
    ("PUT", "/assistant/models/hosts", {"host": "https://evil.example"}),
    ("POST", "/assistant/models/offers", {"url": "https://huggingface.co/a/evil.pt", "folder": "loras"}),
    ("POST", "/assistant/models/downloads", {"offer": "any", "allowPickle": True}),
]


@pytest.mark.parametrize(("method", "path", "body"), FETCHES)
async def test_who_comes_from_elsewhere_has_no_file_fetched(tmp_path, from_elsewhere, method, path, body):
    async with running_assistant(tmp_path, {}, exposed=LISTENING) as assistant:
        answer = await assistant.call(method, path, body)
        assert (answer.status, answer.error_code) == (403, "not_from_here")
    async with running_assistant(tmp_path, {}) as assistant:
        assert (await assistant.call(method, path, body)).status != 403


async def test_who_sits_at_the_machine_may_fetch_where_it_listens_for_others(tmp_path):
    async with running_assistant(tmp_path, {}, exposed=LISTENING) as assistant:
        answer = await assistant.call("PUT", "/assistant/models/hosts", {"host": "https://mine.example"})
        assert answer.status == 200


async def test_who_comes_from_elsewhere_learns_nothing_of_servers_inside(
    tmp_path, from_elsewhere, inner_server
):
    open_port, closed_port = f"{inner_server}/admin", "http://127.0.0.1:9/admin"
    async with running_assistant(tmp_path, {}, exposed=LISTENING) as assistant:
        answers = [
            (await assistant.call("POST", "/assistant/providers/test", {"baseUrl": url, "model": "m"})).json
            for url in (open_port, closed_port)
        ]
        said = [
            answer["error"]["message"].replace(open_port, "").replace(closed_port, "") for answer in answers
        ]
        assert said[0] == said[1]
        provider = {"baseUrl": open_port, "model": "m", "isDefault": True}
        await assistant.call("POST", "/assistant/providers", provider)
        assert b"hunter2" not in (await assistant.say("hello")).body


async def test_who_sits_at_the_machine_is_told_what_a_server_says(tmp_path, inner_server):
    async with running_assistant(tmp_path, {}, exposed=LISTENING) as assistant:
        answer = await assistant.call(
            "POST", "/assistant/providers/test", {"baseUrl": inner_server, "model": "m"}
        )
        assert b"hunter2" in answer.body


async def test_with_an_access_code_each_route_waits_for_it_and_then_all_may_be_done(tmp_path, from_elsewhere):
    async with running_assistant(tmp_path, CODE, exposed=LISTENING) as assistant:
        for route in assistant.assistant.routes():
            if route.path != access.PATH:
                path = re.sub(r"\{.*?\}+", "x", route.path)
                answer = await assistant.call(route.method, path, {})
                assert (path, answer.status) == (path, 401)
        wrong = await assistant.call("POST", access.PATH, {"code": "open barley"})
        assert (wrong.status, wrong.error_code) == (401, "access_code_needed")
        assert "Set-Cookie" not in wrong.headers

        right = await assistant.call("POST", access.PATH, {"code": "open sesame"})
        [cookie] = right.headers.getall("Set-Cookie")
        for kept in ("HttpOnly", "SameSite=Strict"):
            assert kept in cookie
        assert "sesame" not in cookie
        cookies = {"cookie": cookie.partition(";")[0]}
        assert (await assistant.call("GET", "/assistant/status", headers=cookies)).status == 200
        changed = await assistant.call(
            "PUT", "/assistant/models/hosts", {"host": "https://mine.example"}, headers=cookies
        )
        assert changed.status == 200


@pytest.mark.parametrize(
    ("remote", "is_local_request"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:192.168.1.20", False),
        ("192.168.1.20", False),
        ("fe80::1%eth0", False),
        (None, False),
    ],
)
def test_only_the_machine_itself_is_near(remote, is_local_request):
    class Request:
        def __init__(self) -> None:
            self.remote = remote

    assert access.is_local_request(Request()) == is_local_request

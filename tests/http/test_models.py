from __future__ import annotations

import asyncio
import json
import stat

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from ..comfy.downloads.stand_in_host import safetensors, whole
from ..running_assistant import running_assistant

MODEL = safetensors()


@pytest.fixture
async def host():
    app = web.Application()
    app.router.add_get("/a.safetensors", whole(MODEL))
    app.router.add_get("/a.ckpt", whole(b"\x80\x02."))
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/")


@pytest.fixture
async def assistant(tmp_path, host):
    environ = {
        "COMFYUI_ASSISTANT_DOWNLOAD_HOSTS": host,
        "COMFYUI_ASSISTANT_DOWNLOAD_FROM_THIS_MACHINE": "on",
    }
    async with running_assistant(tmp_path, environ) as assistant:
        yield assistant


async def offer(assistant, host, file="a.safetensors", **more):
    body = {"url": f"{host}/{file}", "folder": "loras", **more}
    return await assistant.call("POST", "/assistant/models/offers", body)


async def test_a_file_is_offered_allowed_and_there(assistant, host, tmp_path):
    offered = (await offer(assistant, host)).json
    assert (offered["file"], offered["folder"], offered["size"]) == ("a.safetensors", "loras", len(MODEL))
    begun = await assistant.call("POST", "/assistant/models/downloads", {"offer": offered["id"]})
    assert begun.status == 202
    path = f"/assistant/models/downloads/{begun.json['id']}"
    while (now := (await assistant.call("GET", path)).json)["state"] != "done":
        await asyncio.sleep(0.01)

    assert (now["received"], now["size"]) == (len(MODEL), len(MODEL))
    assert (tmp_path / "models/loras/a.safetensors").read_bytes() == MODEL
    [listed] = (await assistant.call("GET", "/assistant/models/downloads")).json["downloads"]
    assert listed == now
    assert (await assistant.call("DELETE", path)).json["state"] == "done"


async def test_nothing_comes_without_an_offer_nor_a_pickle_without_its_own_yes(assistant, host, tmp_path):
    made_up = await assistant.call("POST", "/assistant/models/downloads", {"offer": "x"})
    assert (made_up.status, made_up.error_code) == (404, "not_found")
    offered = (await offer(assistant, host, "a.ckpt")).json
    assert offered["isPickle"] is True
    for yes, answer in (
        ({}, (409, "pickle_not_allowed")),
        ({"allowPickle": False}, (409, "pickle_not_allowed")),
        ({"allowPickle": "yes"}, (400, "invalid_request")),
    ):
        refused = await assistant.call("POST", "/assistant/models/downloads", {"offer": offered["id"], **yes})
        assert (refused.status, refused.error_code) == answer

    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"url": "https://evil.example/a.safetensors"}, 403, "host_not_listed"),
        ({"name": "../a.safetensors"}, 400, "invalid_request"),
        ({"folder": "custom_nodes"}, 404, "not_found"),
    ],
)
async def test_an_offer_that_cannot_be_made_says_why(assistant, host, more, status, code):
    refused = await offer(assistant, host, **more)

    assert (refused.status, refused.error_code) == (status, code)


async def test_a_token_goes_in_and_never_comes_out(assistant, tmp_path):
    body = {"host": "https://huggingface.co", "token": "hf_0123456789abcdef"}
    answer = await assistant.call("PUT", "/assistant/models/hosts", body)
    [entry] = [one for one in answer.json["hosts"] if one["name"] == "huggingface.co"]
    saved = tmp_path / "settings.json"

    assert entry == {
        "origin": "https://huggingface.co",
        "name": "huggingface.co",
        "source": "built-in",
        "token": {"set": True, "last4": "cdef"},
    }
    assert b"hf_0123" not in answer.body
    assert json.loads(saved.read_text())["keys"] == {"https://huggingface.co": "hf_0123456789abcdef"}
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600


async def test_the_person_adds_a_host_and_takes_it_away(assistant):
    async def names():
        listed = (await assistant.call("GET", "/assistant/models/hosts")).json["hosts"]
        return [one["name"] for one in listed if one["source"] == "settings"]

    await assistant.call("PUT", "/assistant/models/hosts", {"host": "models.example.org", "token": "abc"})
    assert await names() == ["models.example.org"]
    await assistant.call("PUT", "/assistant/models/hosts", {"host": "models.example.org", "listed": False})
    assert await names() == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"host": "not a host"}, 400, "invalid_request"),
        ({"host": "huggingface.co", "token": "“curly”"}, 400, "invalid_request"),
        ({"host": "huggingface.co", "listed": False}, 409, "setting_locked"),
    ],
)
async def test_what_cannot_be_set_says_why(assistant, body, status, code):
    refused = await assistant.call("PUT", "/assistant/models/hosts", body)

    assert (refused.status, refused.error_code) == (status, code)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import ClientError, web
from comfyui_assistant.engine.base.errors import ProviderError, RequestError
from comfyui_assistant.engine.http.route_guard import Route, reply

from .handlers import serving

KEY = "sk-secret"


def raising(error: BaseException) -> Callable[[Any], Any]:
    async def handle(_: Any) -> Any:
        raise error

    return handle


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        pytest.param(
            RequestError("unknown_thread", "There is none.", hint="List them.", status=404),
            404,
            {"code": "unknown_thread", "message": "There is none.", "hint": "List them."},
            id="one of ours keeps its status",
        ),
        pytest.param(
            ProviderError("key_refused", "The key was refused."),
            502,
            {"code": "key_refused", "message": "The key was refused.", "hint": ""},
            id="one of ours has the status of its kind",
        ),
        pytest.param(
            ValueError(KEY),
            500,
            {
                "code": "internal_error",
                "message": "ComfyUI Assistant failed.",
                "hint": "Try again; the ComfyUI log has the details.",
            },
            id="any other tells nothing of itself",
        ),
    ],
)
async def test_a_failure_is_answered_as_a_typed_error(error: Exception, status: int, told: Any) -> None:
    async with serving([Route("GET", "/", raising(error))]) as client:
        answer = await client.get("/")
        assert (answer.status, await answer.json()) == (status, {"error": told})
        assert answer.headers["Cache-Control"] == "no-store"


async def test_what_nobody_expected_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with serving([Route("GET", "/thing", raising(ValueError(KEY)))]) as client:
        await client.get("/thing")
    assert "GET /thing failed" in caplog.text
    assert f"ValueError: {KEY}" in caplog.text


async def test_a_connection_that_is_gone_is_nobodys_failure(caplog: pytest.LogCaptureFixture) -> None:
    async def leave(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        raise ConnectionResetError

    async with serving([Route("GET", "/thing", leave)]) as client:
        with pytest.raises(ClientError):
            await client.get("/thing")
    assert "failed" not in caplog.text


async def test_a_connection_of_ours_that_is_gone_is_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    async with serving([Route("GET", "/thing", raising(ConnectionResetError()))]) as client:
        assert (await client.get("/thing")).status == 500
    assert "GET /thing failed" in caplog.text


async def test_nobody_reaches_a_handler_past_the_guard() -> None:
    reached: list[str] = []

    async def handle(request: Any) -> Any:
        reached.append(request.path)
        return reply({})

    async with serving([Route("POST", "/", handle)]) as client:
        foreign = await client.post("/", json={}, headers={"Origin": "http://evil.example"})
        assert (foreign.status, (await foreign.json())["error"]["code"]) == (403, "foreign_origin")
        assert reached == []
        assert (await client.post("/", json={})).status == 200
    assert reached == ["/"]


def test_a_reply_is_readable_json_whatever_it_holds() -> None:
    answer = reply({"a": "ä\ud83d"}, status=201)
    assert (answer.status, answer.body) == (201, '{"a": "ä?"}'.encode())
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"

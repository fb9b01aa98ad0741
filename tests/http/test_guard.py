from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiohttp import ClientError, web
from comfyui_assistant.engine.base.errors import ProviderError, RequestError
from comfyui_assistant.engine.http.guard import Route, check, names_of_this_machine
from comfyui_assistant.engine.http.json_reply import reply
from hypothesis import given
from hypothesis import strategies as st

from .handlers import serving

KEY = "sk-secret"


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("socket.gethostname", lambda: "Workstation")
    names_of_this_machine.cache_clear()
    yield
    names_of_this_machine.cache_clear()


OWN = {"Host": "127.0.0.1:8188", "Content-Type": "application/json"}


def refusal(headers: dict[str, str], *, method: str = "POST", allowed: Any = ()) -> str | None:
    try:
        check(method, headers, allowed_hosts=allowed)
    except RequestError as error:
        return error.code if error.status in (403, 415) and error.hint else "no clear refusal"
    return None


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param({}, None, id="a program on this machine"),
        pytest.param({"Origin": "http://127.0.0.1:8188"}, None, id="our own page"),
        pytest.param(
            {"Origin": "http://127.0.0.1:8188", "Sec-Fetch-Site": "same-origin"}, None, id="our own page, now"
        ),
        pytest.param({"Origin": "http://evil.example"}, "foreign_origin", id="a foreign page"),
        pytest.param({"Origin": "null"}, "foreign_origin", id="a sandboxed frame"),
        pytest.param({"Origin": "file://"}, "foreign_origin", id="a file"),
        pytest.param({"Origin": "chrome-extension://abc"}, "foreign_origin", id="a browser extension"),
        pytest.param({"Origin": "http://127.0.0.1"}, "foreign_origin", id="another port of this machine"),
        pytest.param(
            {"Origin": "http://localhost:8188"}, "foreign_origin", id="another name of this machine"
        ),
        pytest.param({"Origin": "https://127.0.0.1:8188"}, None, id="behind a TLS proxy on the same port"),
        pytest.param({"Origin": "http://127.0.0.1:99999"}, "foreign_origin", id="a port that is none"),
        pytest.param({"Sec-Fetch-Site": "cross-site"}, "foreign_origin", id="cross-site without an origin"),
        pytest.param(
            {"Sec-Fetch-Site": "same-site"}, "foreign_origin", id="another port, told by the browser"
        ),
        pytest.param(
            {"Host": "evil.example:8188", "Origin": "http://evil.example:8188"},
            "foreign_host",
            id="rebinding",
        ),
        pytest.param({"Host": "192.168.1.20:8188"}, None, id="over the LAN by address"),
        pytest.param({"Host": "[::1]:8188"}, None, id="IPv6"),
        pytest.param({"Host": "localhost:8188"}, None, id="the name of loopback"),
        pytest.param({"Host": "Workstation:8188"}, None, id="over the LAN by this machine's own name"),
        pytest.param({"Host": "workstation.local:8188"}, None, id="over mDNS"),
        pytest.param({"Host": "evilhost:8188"}, "foreign_host", id="a local name that is not this machine's"),
        pytest.param({"Host": "evil.local:8188"}, "foreign_host", id="the same over mDNS"),
        pytest.param({"Host": "evil.internal"}, "foreign_host", id="a name of a network's own server"),
        pytest.param({"Host": "x.localhost:8188"}, "foreign_host", id="a name below localhost"),
        pytest.param({"Host": "a@127.0.0.1"}, "foreign_host", id="a host with a user"),
        pytest.param({"Host": ""}, "foreign_host", id="no host"),
        pytest.param({"Content-Type": "application/json; charset=utf-8"}, None, id="JSON with a charset"),
        pytest.param({"Content-Type": "text/plain"}, "invalid_request", id="a simple content type"),
        pytest.param(
            {"Content-Type": "text/plain; application/json"}, "invalid_request", id="JSON as a parameter"
        ),
        pytest.param(
            {"Content-Type": "application/json; x=text/plain"}, "invalid_request", id="odd parameters"
        ),
        pytest.param({"Content-Type": ""}, "invalid_request", id="no content type"),
    ],
)
def test_only_our_own_page_and_local_programs_get_in(headers: dict[str, str], expected: str | None) -> None:
    assert refusal(OWN | headers) == expected


def test_a_configured_public_name_gets_in() -> None:
    headers = OWN | {"Host": "comfy.example", "Origin": "https://comfy.example"}
    assert refusal(headers) == "foreign_host"
    assert refusal(headers, allowed=("comfy.example",)) is None
    assert refusal(headers, allowed=("*",)) is None


@pytest.mark.parametrize(
    ("allowed", "origin", "is_let_in"),
    [
        ("comfy.example", "https://comfy.example", True),
        ("comfy.example", "http://comfy.example", True),
        ("comfy.example", "http://comfy.example:8188", True),
        ("comfy.example", "https://comfy.example:8443", False),
        ("comfy.example", "http://comfy.example:9999", False),
        ("comfy.example:8443", "https://comfy.example:8443", True),
        ("comfy.example:8443", "https://comfy.example", False),
        ("comfy.example:8443", "https://comfy.example:8444", False),
        ("https://comfy.example:8443", "https://comfy.example:8443", True),
        ("https://comfy.example:8443", "http://comfy.example:8443", False),
        ("https://comfy.example", "https://comfy.example", True),
        ("https://comfy.example", "https://comfy.example:8188", False),
        ("https://comfy.example/", "https://comfy.example", True),
        ("comfy.example:x", "https://comfy.example", False),
        ("*", "https://comfy.example", False),
    ],
)
def test_a_configured_name_behind_a_proxy_stands_for_its_own_port(
    allowed: str, origin: str, *, is_let_in: bool
) -> None:
    """The proxy asks ComfyUI under another name than the page has."""
    expected = None if is_let_in else "foreign_origin"
    assert refusal(OWN | {"Origin": origin}, allowed=(allowed,)) == expected


@pytest.mark.parametrize("allowed", ["comfy.example", "comfy.example:8443", "https://comfy.example:8443"])
def test_a_configured_name_is_a_host_with_any_port(allowed: str) -> None:
    headers = OWN | {"Host": "comfy.example:8443", "Origin": "https://comfy.example:8443"}
    assert refusal(headers, allowed=(allowed,)) is None
    assert refusal(headers | {"Origin": "https://comfy.example:9999"}, allowed=(allowed,)) == "foreign_origin"


def test_reading_needs_no_content_type() -> None:
    assert refusal({"Host": "127.0.0.1:8188"}, method="GET") is None
    assert (
        refusal({"Host": "127.0.0.1:8188", "Sec-Fetch-Site": "cross-site"}, method="GET") == "foreign_origin"
    )


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_origin_and_no_host_breaks_the_guard(origin: str, host: str) -> None:
    if origin not in ("", "http://127.0.0.1:8188", "https://127.0.0.1:8188"):
        assert refusal(OWN | {"Origin": origin}) == "foreign_origin"
    refusal(OWN | {"Host": host, "Origin": origin})


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

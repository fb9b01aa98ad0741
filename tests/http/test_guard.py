from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from comfyui_assistant.engine.errors import RequestError
from comfyui_assistant.engine.http.body import MAX_BYTES, parse_json
from comfyui_assistant.engine.http.guard import check
from hypothesis import given
from hypothesis import strategies as st

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
        pytest.param({"Host": "workstation:8188"}, None, id="over the LAN by name"),
        pytest.param({"Host": "studio.local:8188"}, None, id="over mDNS"),
        pytest.param({"Host": "a@127.0.0.1"}, "foreign_host", id="a host with a user"),
        pytest.param({"Host": ""}, "foreign_host", id="no host"),
        pytest.param({"Content-Type": "application/json; charset=utf-8"}, None, id="JSON with a charset"),
        pytest.param({"Content-Type": "text/plain"}, "wrong_content_type", id="a simple content type"),
        pytest.param(
            {"Content-Type": "text/plain; application/json"}, "wrong_content_type", id="JSON as a parameter"
        ),
        pytest.param(
            {"Content-Type": "application/json; x=text/plain"}, "wrong_content_type", id="odd parameters"
        ),
        pytest.param({"Content-Type": ""}, "wrong_content_type", id="no content type"),
    ],
)
def test_only_our_own_page_and_local_programs_get_in(headers: dict[str, str], expected: str | None) -> None:
    assert refusal(OWN | headers) == expected


def test_a_configured_public_name_gets_in() -> None:
    headers = OWN | {"Host": "comfy.example", "Origin": "https://comfy.example"}
    assert refusal(headers) == "foreign_host"
    assert refusal(headers, allowed=("comfy.example",)) is None
    assert refusal(headers, allowed=("*",)) is None


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


def refused_body(body: bytes) -> str:
    with pytest.raises(RequestError) as caught:
        parse_json(body)
    assert 400 <= caught.value.status < 500
    return caught.value.code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param(b"{", "invalid_json", id="no JSON"),
        pytest.param(b"[1]", "invalid_json", id="no object"),
        pytest.param(b'{"a": NaN}', "invalid_json", id="NaN"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", "invalid_json", id="a number of 5,000 digits"),
        pytest.param(b'{"a": "\xff"}', "invalid_json", id="no UTF-8"),
        pytest.param(b'{"a": "\\ud83d"}', "invalid_text", id="a lone surrogate"),
        pytest.param(b'{"a": ["x\\uDE00"]}', "invalid_text", id="a lone low surrogate deep inside"),
        pytest.param(
            b'{"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "invalid_json", id="10,000 nested arrays"
        ),
        pytest.param(b'{"a":' + b"[" * 2_000_000, "invalid_json", id="2,000,000 nested arrays"),
        pytest.param(b'{"a":[' + b"1," * 1_000_000 + b"1]}", "invalid_json", id="a million numbers"),
    ],
)
def test_a_bad_body_is_refused_with_a_clear_code(body: bytes, code: str) -> None:
    assert refused_body(body) == code


def test_good_bodies_pass() -> None:
    assert parse_json(b"") == {}
    assert parse_json('{"a": "ä😀"}'.encode()) == {"a": "ä😀"}
    assert parse_json(b'{"a": "\\ud83d\\ude00"}') == {"a": "😀"}


def test_the_largest_text_parses_about_as_fast_as_it_is_decoded() -> None:
    text = json.dumps({"a": "word " * (MAX_BYTES // 5 - 10)}).encode()
    plain = quickest(lambda: json.loads(text.decode()))
    assert quickest(lambda: parse_json(text)) < 8 * plain + 0.02


def quickest(work: Callable[[], Any]) -> float:
    """Seconds; of several times, since other tests may have the cores for a while."""
    took = []
    for _ in range(7):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return min(took)

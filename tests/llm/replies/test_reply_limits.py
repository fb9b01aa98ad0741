"""Servers that send more than any model says, over real HTTP."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.base.events import ReplyFinished, TextDelta, ToolCallDelta
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.replies import reply_limits
from comfyui_assistant.engine.llm.replies.reply_limits import ReplySize, ReplyTooLarge

HELLO: list[Any] = [{"role": "user", "content": "hello"}]
STREAM = "text/event-stream"


def event(delta: Any) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n"


WHOLE = event({"content": "Here."}) + b"data: [DONE]\n\n"


@asynccontextmanager
async def server(*pieces: bytes, status: int = 200, **headers: str) -> AsyncGenerator[Endpoint, None]:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(
            status=status, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        await response.prepare(request)
        for piece in pieces:
            await response.write(piece)
        return response

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app) as running:
        yield Endpoint(str(running.make_url("/v1")), "a-model", is_local=True)


async def ask(endpoint: Endpoint) -> list[Any]:
    client = ChatClient()
    try:
        return [event async for event in client.stream(endpoint, HELLO, [])]
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress), ("identity", bytes)]
)
async def test_a_packed_reply_is_read_though_it_was_not_asked_for(encoding: str, pack: Any) -> None:
    async with server(pack(WHOLE), content_type=STREAM, content_encoding=encoding) as endpoint:
        first, last = await ask(endpoint)
    assert (first, type(last)) == (TextDelta("Here."), ReplyFinished)


@pytest.mark.slow
async def test_a_small_reply_that_unpacks_to_a_large_one_ends_at_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reply_limits, "MOST_BYTES", 2_000_000)
    bomb = gzip.compress((b": nothing" + b" " * 1_000 + b"\n\n") * 50_000)
    assert len(bomb) < 2_000_000
    tracemalloc.start()
    async with server(bomb, content_type=STREAM, content_encoding="gzip") as endpoint:
        with pytest.raises(ProviderError) as failure:
            await ask(endpoint)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert failure.value.code == "reply_too_large"
    assert "2,000,000 bytes" in failure.value.message
    assert peak < 20_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "kind"), [(200, "application/json"), (400, "application/json"), (500, "text/plain")]
)
async def test_a_whole_answer_and_an_error_have_the_same_limit(status: int, kind: str) -> None:
    bomb = gzip.compress(b" " * 100_000_000)
    async with server(bomb, status=status, content_type=kind, content_encoding="gzip") as endpoint:
        client = ChatClient(sleep=_no_wait)
        for attempt in (_drain(client.stream(endpoint, HELLO, [])), client.models(endpoint)):
            with pytest.raises(ProviderError) as failure:
                await attempt
            assert failure.value.code == "reply_too_large"
        await client.close()


@pytest.mark.parametrize(
    ("piece", "limit"),
    [(b"data: " + b"x" * 1_000_000, "bytes in one event"), (b": x\n" * 1_000, "lines in one event")],
)
async def test_one_endless_event_is_not_waited_for(piece: bytes, limit: str) -> None:
    async with server(*[piece] * 8, content_type=STREAM) as endpoint:
        with pytest.raises(ProviderError, match=limit) as failure:
            await ask(endpoint)
    assert failure.value.code == "reply_too_large"


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
async def test_any_number_of_events_in_pieces_is_no_endless_one(end: bytes) -> None:
    pieces = [piece for _ in range(6_000) for piece in (b": x" + end, end)]
    async with server(b"".join(pieces), *pieces[:200], WHOLE, content_type=STREAM) as endpoint:
        assert (await ask(endpoint))[0] == TextDelta("Here.")


@pytest.mark.parametrize("in_one_event", [True, False])
async def test_more_calls_than_any_model_makes_are_no_reply(in_one_event: bool) -> None:
    calls = [
        {"index": number, "id": f"c{number}", "function": {"name": "look", "arguments": "{}"}}
        for number in range(5_000)
    ]
    events = (
        [event({"tool_calls": calls})] if in_one_event else [event({"tool_calls": [call]}) for call in calls]
    )
    async with server(*events, content_type=STREAM) as endpoint:
        with pytest.raises(ProviderError, match="128 tool calls"):
            await ask(endpoint)


async def test_what_came_before_the_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_limits, "MOST_CHARACTERS", 10)
    pieces = [event({"content": text}) for text in ("12345", "6789012")]
    async with server(*pieces, content_type=STREAM) as endpoint:
        client = ChatClient()
        stream = client.stream(endpoint, HELLO, [])
        assert await anext(stream) == TextDelta("12345")
        with pytest.raises(ProviderError, match="more than 10 characters"):
            await anext(stream)
        await client.close()


async def test_a_form_that_nobody_asked_for_is_not_unpacked() -> None:
    async with server(WHOLE, content_type=STREAM, content_encoding="br") as endpoint:
        with pytest.raises(ProviderError, match='packed as "br"'):
            await ask(endpoint)
    async with server(b"no gzip", content_type=STREAM, content_encoding="gzip") as endpoint:
        with pytest.raises(ProviderError, match="cannot be unpacked"):
            await ask(endpoint)


def test_a_reply_that_takes_long_goes_on_for_as_long_as_it_brings_something() -> None:
    now = [0.0]
    size = ReplySize(600, clock=lambda: now[0])
    for second in range(1_200):
        now[0] = float(second)
        size.feed(ToolCallDelta("c", "three words"))
        assert not size.is_dragging
    for second in range(1_200, 1_255):
        now[0] = float(second)
        size.feed(TextDelta("" if second % 10 else "."))
        assert not size.is_dragging
    now[0] = 1_262.0
    assert size.is_dragging


def test_a_model_that_gets_on_with_the_request_is_waited_for_an_hour_at_most() -> None:
    now = [0.0]
    size = ReplySize(600, clock=lambda: now[0])
    for second in range(0, 3_600, 50):
        now[0] = float(second)
        size.note_reading(second)
        assert not size.is_dragging
    now[0] = 3_650.0
    size.note_reading(3_650)
    assert size.is_dragging


def test_a_model_that_says_that_it_reads_and_does_not_is_not_waited_for() -> None:
    now = [0.0]
    size = ReplySize(600, clock=lambda: now[0])
    for second in range(0, 650, 50):
        now[0] = float(second)
        size.note_reading(100)
    now[0] = 601.0
    assert size.is_dragging


def test_blanks_do_not_keep_a_reply_that_takes_long() -> None:
    now = [0.0]
    size = ReplySize(600, clock=lambda: now[0])
    for second in range(602):
        now[0] = float(second)
        size.feed(TextDelta("\n \t\u2003"))
    assert size.is_dragging


@pytest.mark.slow
def test_a_reply_in_more_pieces_than_any_model_sends_is_refused() -> None:
    size = ReplySize(600)
    for _ in range(400_000):
        size.feed(TextDelta(""))
    with pytest.raises(ReplyTooLarge, match="400,000 pieces"):
        size.feed(TextDelta(""))


def test_a_slow_reply_has_its_time() -> None:
    now = [0.0]
    size = ReplySize(600, clock=lambda: now[0])
    now[0] = 599.0
    assert not size.is_dragging
    now[0] = 601.0
    assert size.is_dragging


async def test_a_reply_that_drags_on_is_let_go() -> None:
    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": STREAM})
        await response.prepare(request)
        for _ in range(3):
            await response.write(event({"content": "."}))
        return response

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", drip)
    async with TestServer(app) as running:
        endpoint = Endpoint(str(running.make_url("/v1")), "a-model", reply_seconds=0)
        with pytest.raises(ProviderError, match="hardly anything comes") as failure:
            await ask(endpoint)
    assert failure.value.code == "provider_silent"


def test_a_limit_says_what_came() -> None:
    with pytest.raises(ReplyTooLarge, match="4,000,000 characters"):
        ReplySize(600).feed(TextDelta("x" * 4_000_001))


async def _drain(events: AsyncIterator[Any]) -> None:
    async for _ in events:
        pass


async def _no_wait(_: float) -> None:
    return

"""Many chats at once: each is whole, and the event loop is never late."""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from bench.assistant import play, scripted_model
from bench.percentiles import percentile
from bench.report import Figure, Report, at_most, none_of

from .chats import Chat, chunks, message_text, new_chat
from .served import served_assistant

CHATS = 200
EVERY_SECONDS = 0.05
BEGINNING_SECONDS = 6.0
SETTLING_SECONDS = 1.0
"""For what the beginnings have left behind."""
SLACK_SECONDS = 3.0
"""For the last chats to begin, and for the first one to end behind what is measured."""
PATIENCE_SECONDS = 90.0


@dataclass
class Load:
    """`tokens` are when the model wrote each and how long it took to arrive, in nanoseconds; `late` is how late the
    event loop was in each phase, in milliseconds.
    """

    tokens: list[tuple[int, int]] = field(default_factory=list)
    late: dict[str, dict[str, float]] = field(default_factory=dict)
    steady: tuple[int, int] = (0, 0)
    streaming: int = 0
    all_stream: asyncio.Event = field(default_factory=asyncio.Event)
    one_is_over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def delays(self) -> list[float]:
        """Milliseconds of the tokens that the model wrote while all streamed."""
        since, until = self.steady
        return [took / 1e6 for written, took in self.tokens if since <= written < until]

    def note_beginning(self) -> None:
        self.streaming += 1
        if self.streaming == CHATS:
            self.all_stream.set()


async def measure(amount: int, _: random.Random) -> Report:
    tokens = round((BEGINNING_SECONDS + SETTLING_SECONDS + amount + SLACK_SECONDS) / EVERY_SECONDS)
    with tempfile.TemporaryDirectory() as folder, scripted_model(Path(folder)) as model:
        connector = aiohttp.TCPConnector(limit=0)
        async with (
            served_assistant(Path(folder), f"{model}/v1") as served,
            aiohttp.ClientSession(connector=connector) as session,
        ):
            # The first chat finds all modules loaded.
            await play(session, model, {"tokens": 10, "every": EVERY_SECONDS, "stamped": True})
            await _say(session, await new_chat(session, served.url), Load(), after=0)
            await play(session, model, {"tokens": tokens, "every": EVERY_SECONDS, "stamped": True})
            chats = [await new_chat(session, served.url) for _ in range(CHATS)]
            load, texts = await _say_to_all(session, chats, amount)
            whole = [await _is_whole(session, *each, tokens) for each in zip(chats, texts, strict=True)]
    return Report(
        name="load",
        title=f"{CHATS} chats at once",
        how=(
            f"{CHATS} chats of {1 / EVERY_SECONDS:.0f} tokens a second, each in a thread of its own, begun one after "
            f"the other within {BEGINNING_SECONDS:.0f} s; measured are {amount} s a second later, in which all stream. "
            "A token's delay counts from the moment at which the model wrote it. The model and the clients are "
            "processes of their own, on the same machine. The event loop's lag is how late a timer of 5 ms is."
        ),
        figures=[
            none_of(
                "chats that are not byte-equal, as they came or as they are stored", whole.count(False), CHATS
            ),
            at_most("lag of the event loop while all stream, p99", load.late["stream"]["p99"], 20, "ms"),
            Figure("the same, at most", f"{load.late['stream']['max']:.0f} ms"),
            Figure(
                "the same while they begin: p99, at most",
                f"{load.late['begin']['p99']:.1f} ms, {load.late['begin']['max']:.0f} ms",
            ),
            Figure(
                "delay of a token: p50, p99",
                f"{percentile(load.delays, 50):.1f} ms, {percentile(load.delays, 99):.1f} ms",
            ),
        ],
    )


async def _say_to_all(
    session: aiohttp.ClientSession, chats: Sequence[Chat], seconds: float
) -> tuple[Load, list[str]]:
    """Spread over some seconds: two hundred people do not press Enter at once."""
    load = Load()
    watching = asyncio.create_task(_watch(session, chats[0].url, load, seconds))
    said = [
        _say(session, chat, load, after=BEGINNING_SECONDS * number / CHATS)
        for number, chat in enumerate(chats)
    ]
    texts = await asyncio.gather(*said)
    await watching
    return load, texts


async def _say(session: aiohttp.ClientSession, chat: Chat, load: Load, *, after: float) -> str:
    await asyncio.sleep(after)
    text: list[str] = []
    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "Go on."}]}
    body = {"id": chat.thread, "messages": [message]}
    async with session.post(f"{chat.url}/api/chat", json=body) as response:
        async for chunk in chunks(response):
            if chunk["type"] != "text-delta":
                continue
            arrived, written = time.monotonic_ns(), int(chunk["delta"].partition("@")[2])
            if not text:
                load.note_beginning()
            text.append(chunk["delta"])
            load.tokens.append((written, arrived - written))
    load.one_is_over.set()
    return "".join(text)


async def _watch(session: aiohttp.ClientSession, url: str, load: Load, seconds: float) -> None:
    """Ask how late the event loop was while the chats begin, settle, and stream for so many seconds."""

    async def note(phase: str) -> None:
        async with session.post(f"{url}/probe/lag") as response:
            load.late[phase] = await response.json()

    await note("before")
    await asyncio.wait_for(load.all_stream.wait(), PATIENCE_SECONDS)
    await note("begin")
    await asyncio.sleep(SETTLING_SECONDS)
    await note("settle")
    since = time.monotonic_ns()
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(load.one_is_over.wait(), seconds)
    await note("stream")
    load.steady = since, time.monotonic_ns()


async def _is_whole(session: aiohttp.ClientSession, chat: Chat, text: str, tokens: int) -> bool:
    """Whether all tokens came, and the thread holds what came."""
    async with session.get(f"{chat.url}/api/assistant/threads/{chat.thread}") as response:
        messages = (await response.json())["messages"]
    numbers = [int(token.partition("@")[0][1:]) for token in text.split()]
    return message_text(messages[-1]) == text and numbers == list(range(tokens))

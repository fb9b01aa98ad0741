"""Many chats at once: each is whole, and what that does to the event loop beside the same load on a bare route."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from bench.assistant import completion_body, stamped_tokens
from bench.percentiles import percentile
from bench.report import Figure, Report, at_most, none_of
from dev.processes import ChildProcess, free_port

from .chats import Chat, chunks, new_chat, text_of
from .served import served_assistant

CHATS = 200
EVERY_SECONDS = 0.05
BEGINNING_SECONDS = 6.0
BARE_BEGINNING_SECONDS = 1.0
"""A route that only passes bytes on has nothing to do for a beginning."""
BARE_SECONDS = 2.0
"""At most: 8,000 tokens tell how such a route does."""
SETTLING_SECONDS = 1.0
"""For what the beginnings have left behind."""
SLACK_SECONDS = 3.0
"""For the last chats to begin, and for the first one to end behind what is measured."""
PATIENCE_SECONDS = 90.0


@dataclass
class Load:
    """`tokens` are when the model wrote each and how long it took to arrive, in nanoseconds; `late` is how late the
    event loop was, and `cpu` the processor seconds that its process had taken, at the ends of the phases.
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

    @property
    def cpu(self) -> float:
        """Processor seconds of a second in which all stream."""
        since, until = self.steady
        return self._cpu("settle", "stream") / (until - since) * 1e9

    @property
    def cpu_of_token(self) -> float:
        """In microseconds, of the tokens that arrived while all streamed."""
        since, until = self.steady
        arrived = sum(since <= written + took < until for written, took in self.tokens)
        return self._cpu("settle", "stream") / max(1, arrived) * 1e6

    @property
    def share_that_came(self) -> float:
        """Of the tokens that so many chats are due while all stream."""
        since, until = self.steady
        arrived = sum(since <= written + took < until for written, took in self.tokens)
        return arrived / (CHATS * (until - since) / 1e9 / EVERY_SECONDS)

    @property
    def cpu_of_beginning(self) -> float:
        """In milliseconds, without the tokens that came meanwhile."""
        since = self.steady[0]
        arrived = sum(written + took < since for written, took in self.tokens)
        return (self._cpu("before", "settle") * 1e3 - arrived * self.cpu_of_token / 1e3) / CHATS

    def _cpu(self, since: str, until: str) -> float:
        return self.late[until]["cpu"] - self.late[since]["cpu"]

    @contextlib.contextmanager
    def chat(self) -> Iterator[Callable[[int, int], None]]:
        """One of the chats; what it gives takes when each token was written, and when it arrived."""

        def note(written: int, arrived: int) -> None:
            nonlocal has_begun
            if not has_begun:
                has_begun = True
                self.streaming += 1
                if self.streaming == CHATS:
                    self.all_stream.set()
            self.tokens.append((written, arrived - written))

        has_begun = False
        yield note
        self.one_is_over.set()


async def measure(amount: int, _: random.Random) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        async with (
            playing_model(Path(folder)) as provider,
            served_assistant(Path(folder), provider) as served,
        ):
            connector = aiohttp.TCPConnector(limit=0)
            async with aiohttp.ClientSession(connector=connector) as session:
                await play(session, provider, tokens=10)
                await _say_to_all([await new_chat(session, served.url)], session, Load())
                seconds = min(amount, BARE_SECONDS)
                await play(session, provider, tokens=_tokens(seconds, BARE_BEGINNING_SECONDS))
                bare = await _of_bare_route(session, served.url, seconds)
                await play(session, provider, tokens=_tokens(amount, BEGINNING_SECONDS))
                chats = [await new_chat(session, served.url) for _ in range(CHATS)]
                ours, whole = await _of_chats(session, served.url, chats, amount)
    p50, p99 = (percentile(ours.delays, n) - percentile(bare.delays, n) for n in (50, 99))
    return Report(
        name="load",
        title=f"{CHATS} chats at once",
        how=(
            f"{CHATS} chats of {1 / EVERY_SECONDS:.0f} tokens a second, each in a thread of its own, begun one after "
            f"the other within {BEGINNING_SECONDS:.0f} s; measured are {amount} s a second later, in which all stream. "
            f"Before, {min(amount, BARE_SECONDS):.0f} s of the same load on a route of the same process that passes "
            "bytes on and does nothing else. A token's delay counts from the moment at which the model wrote it. "
            "The model and the clients are processes of their own, on the same machine; where fewer tokens "
            "come than are due, it cannot keep up, and delays are those of a queue. The "
            "event loop's lag is how late a timer of 5 ms is."
        ),
        figures=[
            none_of(
                "chats that are not byte-equal, as they came or as they are stored", CHATS - whole, CHATS
            ),
            at_most("lag of the event loop while all stream, p99", ours.late["stream"]["p99"], 20, "ms"),
            Figure("the same, at most", f"{ours.late['stream']['max']:.0f} ms"),
            Figure(
                "the same while they begin: p99, at most",
                f"{ours.late['begin']['p99']:.1f} ms, {ours.late['begin']['max']:.0f} ms",
            ),
            Figure(
                "the same while all stream over a bare route: p99, at most",
                f"{bare.late['stream']['p99']:.1f} ms, {bare.late['stream']['max']:.0f} ms",
            ),
            Figure(
                "delay of a token: p50, p99",
                f"{percentile(ours.delays, 50):.1f} ms, {percentile(ours.delays, 99):.1f} ms",
            ),
            Figure(
                "the same over the bare route",
                f"{percentile(bare.delays, 50):.1f} ms, {percentile(bare.delays, 99):.1f} ms",
            ),
            Figure(
                "tokens that came of those due", f"{ours.share_that_came:.0%}, {bare.share_that_came:.0%}"
            ),
            Figure("what is added: p50, p99", f"{p50:.1f} ms, {p99:.1f} ms"),
            Figure(
                "processor time of a second of it, bare route's",
                f"{ours.cpu:.2f} s, {bare.cpu:.2f} s",
            ),
            Figure(
                "processor time of a token, bare route's",
                f"{ours.cpu_of_token:.0f} µs, {bare.cpu_of_token:.0f} µs",
            ),
            Figure("processor time of a beginning", f"{ours.cpu_of_beginning:.1f} ms"),
        ],
    )


@contextlib.asynccontextmanager
async def playing_model(folder: Path) -> AsyncIterator[str]:
    port = free_port()
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "dev.scripted",
        "--scenario",
        "bench",
        "--port",
        str(port),
    ]
    model = ChildProcess("The scripted model", command, log=folder / "provider.log")
    address = f"http://127.0.0.1:{port}/v1"
    try:
        await asyncio.to_thread(model.wait_until_it_answers, f"{address}/models", seconds=30)
        yield address
    finally:
        await asyncio.to_thread(model.stop)


async def play(session: aiohttp.ClientSession, provider: str, *, tokens: int) -> None:
    reply = [{"tokens": tokens, "every": EVERY_SECONDS, "stamped": True}]
    scenario = {"about": "A load.", "steps": [{"reply": reply}], "after": "repeat"}
    url = f"{provider.removesuffix('/v1')}/scripted/scenario"
    async with session.post(url, json={"scenario": scenario}) as response:
        response.raise_for_status()


def _tokens(seconds: float, beginning: float) -> int:
    return round((beginning + SETTLING_SECONDS + seconds + SLACK_SECONDS) / EVERY_SECONDS)


async def _of_bare_route(session: aiohttp.ClientSession, url: str, seconds: float) -> Load:
    async def pass_on() -> None:
        with load.chat() as note:
            async for written, arrived in stamped_tokens(
                session, f"{url}/probe/bare", completion_body("Go on.")
            ):
                note(written, arrived)

    async with _watched(session, url, seconds) as load:
        await asyncio.gather(*(_soon(number, pass_on(), BARE_BEGINNING_SECONDS) for number in range(CHATS)))
    return load


async def _of_chats(
    session: aiohttp.ClientSession, url: str, chats: Sequence[Chat], seconds: float
) -> tuple[Load, int]:
    async with _watched(session, url, seconds) as load:
        texts = await _say_to_all(chats, session, load)
    whole = 0
    for chat, text in zip(chats, texts, strict=True):
        async with session.get(f"{url}/api/assistant/threads/{chat.thread}") as response:
            messages = (await response.json())["messages"]
        numbers = [int(token.partition("@")[0][1:]) for token in text.split()]
        whole += text_of(messages[-1]) == text and numbers == list(range(_tokens(seconds, BEGINNING_SECONDS)))
    return load, whole


async def _say_to_all(chats: Sequence[Chat], session: aiohttp.ClientSession, load: Load) -> list[str]:
    async def say(chat: Chat) -> str:
        text: list[str] = []
        message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "Go on."}]}
        body = {"id": chat.thread, "messages": [message]}
        with load.chat() as note:
            async with session.post(f"{chat.url}/api/chat", json=body) as response:
                async for chunk in chunks(response):
                    if chunk["type"] != "text-delta":
                        continue
                    arrived = time.monotonic_ns()
                    text.append(chunk["delta"])
                    note(int(chunk["delta"].partition("@")[2]), arrived)
        return "".join(text)

    return await asyncio.gather(
        *(_soon(number, say(chat), BEGINNING_SECONDS) for number, chat in enumerate(chats))
    )


async def _soon(number: int, work: Any, seconds: float) -> Any:
    """Spread over some seconds: two hundred people do not press Enter at once."""
    await asyncio.sleep(seconds * number / CHATS)
    return await work


@contextlib.asynccontextmanager
async def _watched(session: aiohttp.ClientSession, url: str, seconds: float) -> AsyncIterator[Load]:
    async def looked() -> dict[str, float]:
        async with session.post(f"{url}/probe/lag") as response:
            return await response.json()

    async def look() -> None:
        await asyncio.wait_for(load.all_stream.wait(), PATIENCE_SECONDS)
        load.late["begin"] = await looked()
        await asyncio.sleep(SETTLING_SECONDS)
        load.late["settle"], since = await looked(), time.monotonic_ns()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(load.one_is_over.wait(), seconds)
        load.late["stream"] = await looked()
        load.steady = since, time.monotonic_ns()

    load = Load()
    load.late["before"] = await looked()
    looking = asyncio.create_task(look())
    yield load
    await looking

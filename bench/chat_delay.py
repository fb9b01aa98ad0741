"""What the extension adds to a chat: before the model is asked, and on the way of each token."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import aiohttp

from bench.assistant import (
    Stack,
    chat_body,
    completion_body,
    message_ids,
    new_thread,
    play,
    requests_of_model,
    running_stack,
    seconds_to_first_write,
    stamped_tokens,
)
from bench.long_threads import MEASURED_TURNS, TURNS, delays_of_long_threads, store_long_threads
from bench.percentiles import percentile
from bench.report import Figure, Report, at_most
from dev.comfyui import COMFYUI_WITH_EXTENSION
from dev.component import ensure
from dev.vocabulary import TOKEN_VOCABULARY

MESSAGES = 100
REQUESTS = 60
WARM_UP = 5
TOKENS = 250
CHATS = 20
QUESTION = "How do I make the background of this portrait darker without losing the detail in the hair? " * 2
ANSWER = "Add a mask for the background, multiply the image with it, and keep the hair out of the mask. " * 8


def measure() -> Report:
    ensure(COMFYUI_WITH_EXTENSION, TOKEN_VOCABULARY)
    threads: dict[int, str] = {}

    def store_threads(folder: Path) -> None:
        threads.update(asyncio.run(store_long_threads(folder)))

    with running_stack(before=store_threads) as stack:
        return asyncio.run(_measure(stack, threads))


async def _measure(stack: Stack, threads: Mapping[int, str]) -> Report:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        before = await milliseconds_before_the_model(session, stack)
        direct = await milliseconds_of_direct_requests(session, stack)
        agentic = await delays_of_long_threads(session, stack, threads)
        one = await token_delays(session, stack, chats=1)
        many = await token_delays(session, stack, chats=CHATS)
    return Report(
        name="chat-delay",
        title="Delay of a chat",
        how=(
            f"A real ComfyUI, and the scripted model in a process of its own. Before the model, from sending a request "
            f"to its arrival at the model: {REQUESTS} messages to a stored thread of {MESSAGES} messages; then "
            f"{MEASURED_TURNS} turns of two requests (a new message, and the result of a call) that go on with each of "
            f"three threads of {_numbers()} turns, which have two results of 8 to 60 kB in each turn and were in the "
            "store before ComfyUI started; what is added is the percentile minus the one of the same request "
            "sent to the model itself. On the way: "
            f"each token carries the time at which the model wrote it ({TOKENS} tokens per chat, one every 20 ms); "
            "what is added is the percentile through ComfyUI minus the one of direct connections in the same run."
        ),
        figures=[
            at_most(f"request to upstream call, {MESSAGES} messages, p50", percentile(before, 50), 15, "ms"),
            Figure("the same, p95", f"{percentile(before, 95):.1f} ms"),
            at_most(
                "the same, added to a direct request, p50",
                percentile(before, 50) - percentile(direct, 50),
                10,
                "ms",
            ),
            *_of_long_threads(agentic),
            *_added("1 chat", one, {50: 5}),
            *_added(f"{CHATS} chats", many, {50: 5, 99: 20}),
        ],
    )


def _of_long_threads(delays: Mapping[int, Sequence[float]]) -> list[Figure]:
    medians = {turns: percentile(took, 50) for turns, took in delays.items()}
    middle, longest = TURNS[1:]
    figures = []
    for turns, took in delays.items():
        what = f"request to upstream call, {turns} agentic turns, p50"
        measured = medians[turns]
        figures.append(
            at_most(what, measured, 15, "ms") if turns == middle else Figure(what, f"{measured:.1f} ms")
        )
        figures.append(Figure("the same, p95", f"{percentile(took, 95):.1f} ms"))
    more = 100 * (medians[longest] / medians[middle] - 1)
    return [*figures, at_most(f"p50 of {longest} turns, more than of {middle}", more, 20, "%", 0)]


def _numbers() -> str:
    *others, last = map(str, TURNS)
    return f"{', '.join(others)} and {last}"


def _added(name: str, delays: tuple[list[float], list[float]], goals: dict[int, float]) -> list[Figure]:
    direct, through = delays
    figures = []
    for percent in (50, 99):
        added = percentile(through, percent) - percentile(direct, percent)
        what = f"added per token, {name}, p{percent}"
        figures.append(
            at_most(what, added, goals[percent], "ms", 2)
            if percent in goals
            else Figure(what, f"{added:.2f} ms")
        )
    return figures


async def milliseconds_before_the_model(session: aiohttp.ClientSession, stack: Stack) -> list[float]:
    await play(session, stack.model, {"say": ANSWER, "split": "whole"})
    thread = await new_thread(session, stack)
    last: str | None = None
    for _ in range(MESSAGES // 2):
        async with session.post(stack.chat, json=chat_body(thread, QUESTION, after=last)) as response:
            response.raise_for_status()
            await response.read()
        last = (await message_ids(session, stack, thread))[-1]
    return await milliseconds_to_the_model(
        session, stack, stack.chat, lambda: chat_body(thread, QUESTION, after=last)
    )


async def milliseconds_of_direct_requests(session: aiohttp.ClientSession, stack: Stack) -> list[float]:
    """The newest request of the assistant, sent to the model anew."""
    newest = (await requests_of_model(session, stack))[-1]["body"]
    return await milliseconds_to_the_model(session, stack, stack.completions, lambda: newest)


async def milliseconds_to_the_model(
    session: aiohttp.ClientSession, stack: Stack, url: str, body: Callable[[], dict]
) -> list[float]:
    await play(session, stack.model, {"tokens": 1, "stamped": True})
    sent, written = [], []
    for _ in range(REQUESTS):
        request = body()
        sent.append(time.monotonic_ns())
        written += [at async for at, _ in stamped_tokens(session, url, request)]
    # What the model itself takes between a request's arrival and its first write is not ours.
    own = await seconds_to_first_write(session, stack, REQUESTS)
    took = [
        (at - began) / 1e6 - of_model * 1e3 for began, at, of_model in zip(sent, written, own, strict=True)
    ]
    return took[WARM_UP:]


async def token_delays(
    session: aiohttp.ClientSession, stack: Stack, *, chats: int
) -> tuple[list[float], list[float]]:
    """Milliseconds from the model's write to the arrival here: over direct connections, and through ComfyUI."""
    await play(session, stack.model, {"tokens": TOKENS, "every": "20ms", "stamped": True})
    threads = [await new_thread(session, stack) for _ in range(chats)]
    direct = [delays(session, stack.completions, completion_body(QUESTION)) for _ in threads]
    direct_delays = [delay for chat in await asyncio.gather(*direct) for delay in chat]
    through = [delays(session, stack.chat, chat_body(thread, QUESTION, after=None)) for thread in threads]
    through_delays = [delay for chat in await asyncio.gather(*through) for delay in chat]
    return direct_delays, through_delays


async def delays(session: aiohttp.ClientSession, url: str, body: dict) -> list[float]:
    found = [(arrived - written) / 1e6 async for written, arrived in stamped_tokens(session, url, body)]
    if len(found) != TOKENS:
        raise RuntimeError(f"{url} passed {len(found)} of {TOKENS} tokens on.")
    return found

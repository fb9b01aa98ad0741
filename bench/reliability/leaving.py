"""Clients that leave in the middle of an answer: the model is stopped, and nothing stays behind."""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
import time
from pathlib import Path

import aiohttp

from bench.report import Report, at_most, none_of
from dev.scripted.provider import ScriptedProvider

from .chats import new_chat
from .served import served_assistant

AT_ONCE = 50
PATIENCE_SECONDS = 10.0
STORIES = {
    "streaming": {"reply": [{"tokens": 1_000, "every": "10ms"}]},
    "silent": {"reply": [{"say": "One "}, {"wait": "60s"}]},
    "not answering": {"first_byte": "60s", "reply": [{"say": "One "}]},
}


async def measure(amount: int, dice: random.Random) -> Report:
    slowest = 0.0
    left_open = left_running = 0
    async with ScriptedProvider(_scenario("streaming")) as provider:
        with tempfile.TemporaryDirectory() as folder:
            async with (
                served_assistant(Path(folder), provider.base_url) as served,
                aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
            ):
                await _leave(session, served.url, 1.0)
                await provider.wait_until(lambda: provider.open_streams == 0)
                before = await _tasks(session, served.url)
                for first in range(0, amount, AT_ONCE):
                    clients = min(AT_ONCE, amount - first)
                    provider.play(_scenario(dice.choice([*STORIES])))
                    stays = [dice.uniform(0, 1) for _ in range(clients)]
                    await asyncio.gather(*(_leave(session, served.url, stay) for stay in stays))
                    began = time.monotonic()
                    with contextlib.suppress(asyncio.TimeoutError):
                        await provider.wait_until(
                            lambda: provider.open_streams == 0, seconds=PATIENCE_SECONDS
                        )
                    slowest = max(slowest, time.monotonic() - began)
                    left_open += provider.open_streams
                left_running = await _left_running(session, served.url, before)
    return Report(
        name="leaving",
        title="Clients that leave",
        how=(
            f"With `LLM_UNREAD_SECONDS=0`, {amount} clients, {AT_ONCE} at once; "
            "each leaves within a second of its question, by chance: "
            "while the model streams, "
            "is silent in the middle, or has not answered."
        ),
        figures=[
            none_of("connections to the model that stay open", left_open, amount),
            at_most("the last one closed after", slowest, 2, "s", 2),
            none_of("tasks left in the event loop", left_running, amount),
        ],
    )


def _scenario(name: str) -> dict:
    return {"about": "A story.", "steps": [STORIES[name]], "after": "repeat"}


async def _leave(session: aiohttp.ClientSession, url: str, after: float) -> None:
    chat = await new_chat(session, url)
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(chat.say(session, "Go on."), after)


async def _left_running(session: aiohttp.ClientSession, url: str, before: int) -> int:
    """Tasks more than before, of those that do not end by themselves in a while."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (left := await _tasks(session, url) - before) > 0 and time.monotonic() < until:
        await asyncio.sleep(0.2)
    return max(0, left)


async def _tasks(session: aiohttp.ClientSession, url: str) -> int:
    async with session.get(f"{url}/probe/tasks") as response:
        return await response.json()

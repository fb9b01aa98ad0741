"""A process that is killed while chats stream: what it had acknowledged, and what it had shown, is there again."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from bench.report import Figure, Report, at_most, none_of
from dev.scripted.provider import ScriptedProvider

from .chats import Chat, Exchange, message_text, new_chat
from .served import served_assistant

CHATS = 10
TOKENS = 150
KILLS_PER_FOLDER = 6
STORY = {
    "about": "A second and a half of tokens.",
    "steps": [{"reply": [{"tokens": TOKENS, "every": "10ms"}]}],
    "after": "repeat",
}
WHOLE = "".join(f"#{number} " for number in range(TOKENS))


@dataclass
class Tally:
    kills: int = 0
    acknowledged: int = 0
    messages_lost: int = 0
    answers: int = 0
    answers_lost: int = 0
    cut: int = 0
    cut_wrong: int = 0
    seconds_lost: float = 0.0
    damaged: int = 0


async def measure(amount: int, dice: random.Random) -> Report:
    tally = Tally()
    async with ScriptedProvider(STORY, pace=0) as provider:
        while tally.kills < amount:
            kills = min(KILLS_PER_FOLDER, amount - tally.kills)
            with tempfile.TemporaryDirectory() as folder:
                await _kill_again_and_again(Path(folder), provider.base_url, kills, dice, tally)
    return Report(
        name="kills",
        title="A killed process",
        how=(
            f"kill -9 of the assistant's process at a random moment under {CHATS} live chats, {amount} times; the same "
            f"threads go on in the next process, {KILLS_PER_FOLDER} times in one folder, and each has to take new "
            "messages, with leases of half a second, so that it can at once. A message "
            "counts as acknowledged when its response began, text from the moment a client read it."
        ),
        figures=[
            none_of("acknowledged messages lost", tally.messages_lost, tally.acknowledged),
            none_of("finished answers lost or changed", tally.answers_lost, tally.answers),
            none_of("cut answers that are no beginning of what the model said", tally.cut_wrong, tally.cut),
            at_most("text lost of a cut answer, at most", tally.seconds_lost, 1, "s", 2),
            none_of("databases that SQLite finds damaged", tally.damaged, tally.kills),
            Figure("processes killed", f"{tally.kills:,}"),
        ],
    )


async def _kill_again_and_again(
    folder: Path, provider: str, kills: int, dice: random.Random, tally: Tally
) -> None:
    chats: list[Chat] = []
    for _ in range(kills):
        async with served_assistant(folder, provider) as served, aiohttp.ClientSession() as session:
            if not chats:
                chats = [await new_chat(session, served.url) for _ in range(CHATS)]
            for chat in chats:
                chat.url = served.url
            talks = [asyncio.create_task(_talk(session, chat)) for chat in chats]
            await asyncio.sleep(dice.uniform(0.2, 5.0))
            killed_at = time.monotonic()
            served.kill()
            await asyncio.gather(*talks)
        tally.kills += 1
        await _compare(folder, chats, killed_at, tally)
    tally.acknowledged += sum(exchange.is_acknowledged for chat in chats for exchange in chat.exchanges)
    tally.answers += sum(exchange.has_ended for chat in chats for exchange in chat.exchanges)


async def _talk(session: aiohttp.ClientSession, chat: Chat) -> None:
    with contextlib.suppress(aiohttp.ClientError):
        while True:
            await chat.say(session, "Tell me a story.")


async def _compare(folder: Path, chats: Sequence[Chat], killed_at: float, tally: Tally) -> None:
    database = Database.in_folder(folder)
    store = ThreadStore(database)
    for chat in chats:
        messages = await store.messages(chat.thread)
        stored = {message["id"] for message in messages if message["role"] == "user"}
        answers = _answers_by_question(messages)
        for exchange in chat.exchanges:
            if exchange.is_acknowledged and exchange.message_id not in stored:
                tally.messages_lost += 1
            if exchange.has_ended and answers.get(exchange.message_id) != WHOLE:
                tally.answers_lost += 1
        last = chat.exchanges[-1]
        if last.pieces and not last.has_ended:
            _compare_cut(last, answers.get(last.message_id, ""), killed_at, tally)
    database.close()
    with contextlib.closing(sqlite3.connect(folder / "assistant.sqlite3")) as connection:
        tally.damaged += connection.execute("PRAGMA integrity_check").fetchone() != ("ok",)


def _compare_cut(exchange: Exchange, stored: str, killed_at: float, tally: Tally) -> None:
    tally.cut += 1
    tally.cut_wrong += not WHOLE.startswith(stored)
    length = 0
    for arrived, piece in exchange.pieces:
        length += len(piece)
        if length > len(stored):
            tally.seconds_lost = max(tally.seconds_lost, killed_at - arrived)
            return


def _answers_by_question(messages: Sequence[Any]) -> dict[str, str]:
    answers: dict[str, str] = {}
    question = ""
    for message in messages:
        if message["role"] == "user":
            question = message["id"]
        else:
            answers[question] = answers.get(question, "") + message_text(message)
    return answers

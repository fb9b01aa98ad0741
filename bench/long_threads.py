"""Long agentic threads: written into a ComfyUI's store before it starts, then gone on with over HTTP."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import aiohttp

from bench.agentic_thread import long_agentic_thread, read_large_workflow
from bench.assistant import STAMP, Stack, play_steps, seconds_to_first_write
from engine.base.messages import Part, UIMessage, is_tool_part
from engine.context.compaction import steps
from engine.store.database import Database
from engine.store.log.event_log import LogEvent
from engine.store.threads import ThreadStore

TURNS = (10, 100, 500)
MEASURED_TURNS = 24
WARM_UP = 4
TOOL = "getWorkflowInfo"
STEPS = (
    {"reply": [{"tokens": 1, "every": 0, "stamped": True}, {"call": TOOL, "arguments": {}}]},
    {"reply": [{"tokens": 1, "every": 0, "stamped": True}]},
)
"""A turn of two requests: one with a new user message, and one with the result of the call that it makes."""


async def store_long_threads(folder: Path) -> dict[int, str]:
    """The ids of the threads, by their numbers of turns."""
    database = Database.in_folder(folder)
    threads = ThreadStore(database)
    stored: dict[int, str] = {}
    for turns in TURNS:
        stored[turns] = (await threads.create()).id
        await threads.append(stored[turns], read_log(long_agentic_thread(turns)))
    database.close()
    return stored


def read_log(conversation: Sequence[UIMessage]) -> list[LogEvent]:
    """As turns write it: each step is one event, and each result that the browser brings."""
    return [event for message in conversation for event in _events(message)]


async def delays_of_long_threads(
    session: aiohttp.ClientSession, stack: Stack, threads: Mapping[int, str]
) -> dict[int, list[float]]:
    """Milliseconds from sending a request to its arrival at the model, by the number of turns of its thread."""
    random = Random("what the long threads go on with")
    await play_steps(session, stack.model, STEPS)
    found: dict[int, list[float]] = {turns: [] for turns in threads}
    for _ in range(MEASURED_TURNS + WARM_UP):
        for turns, thread in threads.items():
            found[turns] += await _go_on(session, stack, thread, random)
    return {turns: delays[len(STEPS) * WARM_UP :] for turns, delays in found.items()}


async def _go_on(
    session: aiohttp.ClientSession, stack: Stack, thread: str, random: Random
) -> tuple[float, float]:
    """One more turn: the delays of its two requests."""
    text = {"type": "text", "text": f"Now look at it once more, number {random.randint(0, 10**9)}."}
    asked = {"id": f"asked-{random.getrandbits(64):x}", "role": "user", "parts": [text]}
    first, chunks = await _delay(session, stack, {"id": thread, "messages": [asked]})
    answer = next(chunk["messageId"] for chunk in chunks if chunk["type"] == "start")
    call = next(chunk["toolCallId"] for chunk in chunks if chunk["type"] == "tool-input-available")
    result = {
        "type": f"tool-{TOOL}",
        "toolCallId": call,
        "state": "output-available",
        "input": {},
        "output": read_large_workflow(random).output,
    }
    body = {"id": thread, "messages": [{"id": answer, "role": "assistant", "parts": [result]}]}
    second, _ = await _delay(session, stack, body)
    return first, second


async def _delay(
    session: aiohttp.ClientSession, stack: Stack, body: dict[str, Any]
) -> tuple[float, list[dict[str, Any]]]:
    data = json.dumps(body).encode()
    began = time.monotonic_ns()
    async with session.post(stack.chat, data=data, headers={"Content-Type": "application/json"}) as response:
        response.raise_for_status()
        answer = await response.read()
    (of_model,) = await seconds_to_first_write(session, stack, 1)
    async with session.post(f"{stack.model}/scripted/reset") as response:
        response.raise_for_status()
    stamp = STAMP.search(answer)
    if stamp is None:
        raise RuntimeError(f"The model was not asked: {answer[:500]!r}")
    lines = answer.decode().split("\n\n")
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    return (int(stamp[1]) - began) / 1e6 - of_model * 1e3, chunks


def _events(message: UIMessage) -> Iterator[LogEvent]:
    if message["role"] == "user":
        yield LogEvent("user", message["id"], {"parts": message["parts"]})
        return
    for step in steps(message["parts"]):
        yield LogEvent("step", message["id"], {"parts": [_asked(part) for part in step]})
        for part in filter(is_tool_part, step):
            settled = {name: part[name] for name in ("toolCallId", "state", "output")}
            yield LogEvent("result", message["id"], settled)


def _asked(part: Part) -> Part:
    """A call as it stands before its result is there."""
    if not is_tool_part(part):
        return part
    return {**{name: value for name, value in part.items() if name != "output"}, "state": "input-available"}

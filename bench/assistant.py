"""A ComfyUI with the extension and a scripted model, each in a process of its own, for measurements over HTTP."""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from dev.comfyui_process import running_comfyui
from dev.places import DEV, venv_python
from dev.processes import ChildProcess, free_port

# A token of the scripted model: its number, and its process's monotonic clock in nanoseconds at the write.
STAMP = re.compile(rb"#\d+@(\d{19})")
LONGEST_STAMP = 40


@dataclass(frozen=True)
class Stack:
    """The addresses of both."""

    comfyui: str
    model: str

    @property
    def chat(self) -> str:
        return f"{self.comfyui}/api/chat"

    @property
    def completions(self) -> str:
        return f"{self.model}/v1/chat/completions"


@contextlib.contextmanager
def running_stack(*, before: Callable[[Path], None] = lambda _: None) -> Iterator[Stack]:
    """`before` is given the assistant's own folder before ComfyUI starts."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        before(base / "user" / "__comfyui_assistant")
        with scripted_model(base) as model:
            environment = {
                "COMFYUI_ASSISTANT_BASE_URL": f"{model}/v1",
                "COMFYUI_ASSISTANT_MODEL": "scripted",
                "COMFYUI_ASSISTANT_PROFILE": "full",
                "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "128000",
            }
            with running_comfyui(base, environment=environment) as comfyui:
                yield Stack(comfyui.url, model)


@contextlib.contextmanager
def scripted_model(folder: Path) -> Iterator[str]:
    """The address of one in a process of its own, without `/v1`; its log goes into the folder."""
    port = free_port()
    process = ChildProcess(
        "The scripted model",
        [venv_python(DEV), "-m", "dev.scripted", "--scenario", "bench", "--port", str(port)],
        log=folder / "provider.log",
    )
    try:
        process.wait_until_it_answers(f"http://127.0.0.1:{port}/v1/models", seconds=30)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.stop()


async def play(session: aiohttp.ClientSession, model: str, *reply: dict[str, Any]) -> None:
    """Let the scripted model answer every message with these parts."""
    await play_steps(session, model, [{"reply": list(reply)}])


async def play_steps(session: aiohttp.ClientSession, model: str, steps: Sequence[Mapping[str, Any]]) -> None:
    """Let the scripted model answer every message in these steps."""
    scenario = {"about": "A benchmark.", "steps": list(steps), "after": "repeat"}
    async with session.post(f"{model}/scripted/scenario", json={"scenario": scenario}) as response:
        response.raise_for_status()


async def seconds_to_first_write(session: aiohttp.ClientSession, stack: Stack, newest: int) -> list[float]:
    """How long the model itself took over each of its newest requests, from the arrival to the first write."""
    chats = await requests_of_model(session, stack)
    return [request["first_byte"] - request["received"] for request in chats[-newest:]]


async def requests_of_model(session: aiohttp.ClientSession, stack: Stack) -> list[dict[str, Any]]:
    """The chat completions that it was asked for."""
    async with session.get(f"{stack.model}/scripted/requests") as response:
        requests = (await response.json())["requests"]
    return [request for request in requests if request["path"].endswith("/chat/completions")]


async def new_thread(session: aiohttp.ClientSession, stack: Stack) -> str:
    async with session.post(f"{stack.comfyui}/api/assistant/threads", json={}) as response:
        response.raise_for_status()
        return (await response.json())["id"]


async def message_ids(session: aiohttp.ClientSession, stack: Stack, thread: str) -> list[str]:
    async with session.get(f"{stack.comfyui}/api/assistant/threads/{thread}?tail=1000") as response:
        response.raise_for_status()
        return [message["id"] for message in (await response.json())["messages"]]


def chat_body(thread: str, text: str, *, after: str | None) -> dict[str, Any]:
    """A new user message behind the message `after`; whatever came behind that one is taken back."""
    message = {"id": uuid.uuid4().hex, "role": "user", "parts": [{"type": "text", "text": text}]}
    return {"id": thread, "messages": [message], "trigger": "submit-message", "parentId": after}


def completion_body(text: str) -> dict[str, Any]:
    return {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": text}]}


async def stamped_tokens(
    session: aiohttp.ClientSession, url: str, body: dict[str, Any]
) -> AsyncIterator[tuple[int, int]]:
    """When each token was written by the model and when it arrived here, in nanoseconds of one clock."""
    async with session.post(url, json=body) as response:
        response.raise_for_status()
        rest = b""
        async for chunk in response.content.iter_any():
            arrived = time.monotonic_ns()
            rest += chunk
            end = 0
            for match in STAMP.finditer(rest):
                yield int(match[1]), arrived
                end = match.end()
            rest = rest[max(end, len(rest) - LONGEST_STAMP) :]

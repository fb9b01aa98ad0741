"""A turn on an event loop like the one that ComfyUI has on Windows."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from dev.scripted.provider import ScriptedProvider

from .other_systems import ProactorLike
from .running_assistant import running_assistant

HELLO = {"about": "A test.", "steps": [{"reply": [{"say": "Hello there."}]}], "after": "repeat", "pace": 0}
SLOW = {"about": "A test.", "steps": [{"reply": [{"say": "word " * 400}]}], "after": "repeat", "pace": 0.05}


def run(work: Coroutine[Any, Any, None]) -> None:
    loop = ProactorLike()
    try:
        loop.run_until_complete(work)
    finally:
        loop.close()


def test_a_message_is_answered(tmp_path: Path) -> None:
    async def work() -> None:
        async with ScriptedProvider(HELLO, pace=0) as provider:
            environ = {
                "COMFYUI_ASSISTANT_BASE_URL": provider.base_url,
                "COMFYUI_ASSISTANT_MODEL": "scripted",
            }
            async with running_assistant(tmp_path, environ) as assistant:
                thread = await assistant.new_thread()
                assert (await assistant.say("hi", thread=thread)).text == "Hello there."
                assert len(await assistant.messages(thread)) == 2

    run(work())


@pytest.mark.slow
def test_a_page_that_leaves_stops_the_turn(tmp_path: Path) -> None:
    async def work() -> None:
        async with ScriptedProvider(SLOW) as provider:
            environ = {
                "COMFYUI_ASSISTANT_BASE_URL": provider.base_url,
                "COMFYUI_ASSISTANT_MODEL": "scripted",
                "LLM_UNREAD_SECONDS": "0",
            }
            async with running_assistant(tmp_path, environ) as assistant:
                thread = await assistant.new_thread()
                answer = asyncio.create_task(assistant.say("hi", thread=thread))
                while not provider.requests:
                    await asyncio.sleep(0.02)
                await asyncio.sleep(0.2)
                answer.cancel()
                await asyncio.wait({answer})
                kept = await stopped_answer(assistant, thread)
                assert kept["parts"][-1]["data"]["code"] == "interrupted"

    run(work())


async def stopped_answer(assistant: Any, thread: str) -> Any:
    """The server sees within a moment that nobody listens any more."""
    for _ in range(200):
        messages = await assistant.messages(thread)
        if len(messages) == 2 and messages[1]["parts"][-1]["type"] == "data-notice":
            return messages[1]
        await asyncio.sleep(0.05)
    raise AssertionError("the turn went on")

"""The assistant on a real HTTP server, and a thread in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ..running_assistant import RunningAssistant, running_assistant
from ..store.log_events import rewind, step, text, user


@pytest.fixture
async def assistant(tmp_path: Path) -> AsyncIterator[RunningAssistant]:
    async with running_assistant(tmp_path, {}) as running:
        yield running


@pytest.fixture
async def thread(assistant: RunningAssistant) -> str:
    """A thread with an answer that was made again."""
    thread = await assistant.new_thread()
    await assistant.assistant.storage.threads.append(
        thread, [user("u1", "Make the sky red"), step("a1", text("no"))]
    )
    await assistant.assistant.storage.threads.append(thread, [rewind("u1"), step("a2", text("yes"))])
    return thread

"""The assistant with a scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from dev.scripted.provider import ScriptedProvider

from .running_assistant import RunningAssistant, running_assistant

HELLO = {"about": "A test.", "steps": [{"reply": [{"say": "Hello there."}]}], "after": "repeat", "pace": 0}

LOOK_AND_SAY = {
    "about": "A test.",
    "pace": 0,
    "after": "repeat",
    "steps": [
        {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
        {"reply": [{"say": "It is there."}]},
    ],
}


def system_of(request: Any) -> str:
    """Return the system message of a request to the scripted model."""
    return request.body["messages"][0]["content"]


@asynccontextmanager
async def talking(
    data: Path,
    scenario: Any = None,
    environ: Mapping[str, str] | None = None,
    provider: ScriptedProvider | None = None,
    **parts: Any,
) -> AsyncIterator[tuple[RunningAssistant, ScriptedProvider]]:
    async with AsyncExitStack() as stack:
        provider = provider or await stack.enter_async_context(ScriptedProvider(scenario or HELLO, pace=0))
        settings = {
            "COMFYUI_ASSISTANT_BASE_URL": provider.base_url,
            "COMFYUI_ASSISTANT_MODEL": "scripted",
            "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "32000",
            **(environ or {}),
        }
        yield await stack.enter_async_context(running_assistant(data, settings, **parts)), provider

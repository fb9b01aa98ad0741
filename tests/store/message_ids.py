"""The conversation of a thread, made short."""

from __future__ import annotations

from comfyui_assistant.engine.store.threads import ThreadStore


async def message_ids(store: ThreadStore, thread_id: str) -> list[str]:
    return [message["id"] for message in await store.messages(thread_id)]

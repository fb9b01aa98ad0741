"""Messages of chat requests, short to write."""

from __future__ import annotations

import json
from typing import Any

import aiohttp


def user(text: str = "hello") -> dict[str, Any]:
    return {"role": "user", "content": text}


def says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def calls(*names: str, prefix: str = "call") -> dict[str, Any]:
    return {
        "role": "assistant",
        "tool_calls": [
            {"id": f"{prefix}_{number}", "type": "function", "function": {"name": name, "arguments": "{}"}}
            for number, name in enumerate(names)
        ],
    }


def result(identifier: str, **content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identifier, "content": json.dumps({"ok": True, **content})}


async def post(base_url: str, body: Any, **headers: str) -> tuple[int, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{base_url}/chat/completions", json=body, headers=headers) as response,
    ):
        return response.status, await response.json(content_type=None)


async def ask(base_url: str, *messages: dict[str, Any], **options: Any) -> tuple[int, Any]:
    return await post(base_url, {"model": "scripted", "messages": list(messages), **options})


async def answer(base_url: str, *messages: dict[str, Any], **options: Any) -> Any:
    """The message of a whole reply."""
    status, body = await ask(base_url, *messages, **options)
    assert status == 200, body
    return body["choices"][0]["message"]

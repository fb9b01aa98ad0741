from __future__ import annotations

from comfyui_assistant.engine.base.events import TextDelta
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint

from dev.scripted.provider import ScriptedProvider


async def test_a_block_without_data_is_no_event_wherever_it_stands() -> None:
    reply = [
        {"raw": "retry: 9000\n\n"},
        {"say": "Hello"},
        {"raw": "id: 7\nevent: ping\n\n\n"},
        {"say": " there."},
    ]
    client = ChatClient()
    async with ScriptedProvider({"about": "A test.", "steps": [{"reply": reply}]}, pace=0) as provider:
        endpoint = Endpoint(provider.base_url, "scripted", is_local=True)
        events = [event async for event in client.stream(endpoint, [{"role": "user", "content": "hi"}], [])]
    await client.close()
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Hello there."

"""What a new message says is written down with what goes along."""

from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.chat.question.request import ChatBody

from tests.chat.a_chat import Chat


async def test_a_message_with_an_unknown_skill_is_not_written_down(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    with pytest.raises(RequestError, match="There is no skill"):
        await chat.say(thread_id, "u1", "/skill sea")
    assert await chat.threads.messages(thread_id) == []


async def test_a_message_keeps_the_line_of_what_was_open_with_it(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    body = {"id": thread_id, "workflow": {"name": "portrait", "nodes": 7, "lastRead": "landscape"}}
    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "one"}]}
    async with chat.answers.answer(ChatBody.read({**body, "messages": [message]}).request()) as answer:
        assert [chunk["type"] async for chunk in answer.chunks][-1] == "finish"
    await chat.say(thread_id, "u2", "two")
    first, second = chat.model.requests
    assert 'Open workflow: "portrait", 7 nodes; you last read "landscape".' in first[-1]["content"]
    assert second[: len(first)] == first
    assert "Open workflow" not in second[-1]["content"]

"""Turns of a chat, one at a time."""

from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import RequestError

from tests.chat.a_chat import Chat, asked


async def test_words_are_asked_for_once_and_the_system_message_stays_with_its_thread(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    await chat.say(thread_id, "u1", "/skill sky")
    assert sorted(chat.words.asked) == ["the full system message", "the skill sky", "the user's words"]
    chat.words.asked.clear()
    await chat.say(thread_id, "u2", "more of it")
    assert sorted(chat.words.asked) == ["the user's words"]
    first, second = chat.model.requests
    assert second[: len(first)] == first
    assert "Make it red." in first[1]["content"]
    assert "A red sky." in first[1]["content"]


async def test_the_thread_is_held_until_its_answer_is_over(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    async with chat.answers.answer(asked(thread_id, "u1", "one")) as answer:
        assert answer.first_request is not None
        with pytest.raises(RequestError) as refused:
            await chat.say(thread_id, "u2", "two")
        assert refused.value.code == "turn_running"
        assert [chunk["type"] async for chunk in answer.chunks][-1] == "finish"
    assert len(await chat.say(thread_id, "u2", "two")) > 3

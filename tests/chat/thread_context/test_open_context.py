"""A look at a context."""

from __future__ import annotations

import re

from tests.chat.a_chat import Chat


async def test_looking_at_the_context_writes_nothing(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    await chat.say(thread_id, "u1", "one")
    before = await chat.threads.export(thread_id)
    opened = await chat.open_contexts.open(thread_id)
    assert opened.goals == "A red sky."
    await opened.context.planner.plan(opened.conversation)
    after = await chat.threads.export(thread_id)
    assert _without_time(after) == _without_time(before)


def _without_time(document: bytes) -> bytes:
    return re.sub(rb'"exportedAt":[^,]+', b"", document)

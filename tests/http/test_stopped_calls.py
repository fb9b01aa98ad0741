"""A person's Stop while a page makes a call of a browser's tool, as the pages of other browsers are told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..another_process import ADDS_A_NODE, answers_in
from ..talking import talking


@pytest.mark.slow
async def test_a_call_that_is_stopped_is_waited_for_by_no_page(tmp_path: Path) -> None:
    async with talking(tmp_path, ADDS_A_NODE) as (assistant, _):
        thread = await assistant.new_thread()
        await answers_in(assistant, thread)

        async def claimed() -> tuple[bool, bool]:
            reply = await assistant.call("POST", f"/assistant/threads/{thread}/page", {"page": "other"})
            return reply.json["isOver"], reply.json["isMine"]

        async def stop(answer: str) -> None:
            await assistant.call("POST", f"/assistant/threads/{thread}/stop", {"answer": answer})

        assert await claimed() == (False, False)
        await stop("u1")
        assert await claimed() == (False, False)
        await stop((await assistant.messages(thread))[-1]["id"])
        assert await claimed() == (True, False)

        await assistant.say("once more", thread=thread, message_id="u2", page="its page")
        assert await claimed() == (False, False)

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from typing import Any

import pytest
from comfyui_assistant.engine.http.json_reply import long_reply, reply

PART = {"type": "text", "text": "größer 😀 \ud83d", "nested": {"list": [1, None, {"a": [[]]}]}}


def thread(messages: int) -> dict[str, Any]:
    message = {"id": "a1", "role": "assistant", "parts": [PART] * 200}
    return {"id": "t", "messages": [message] * messages, "total": messages, "none": {}, "empty": []}


async def test_it_is_the_very_answer_that_is_made_at_once() -> None:
    made, known = await long_reply(thread(2)), reply(thread(2))
    assert (made.body, made.headers, made.status) == (known.body, known.headers, known.status)


@pytest.mark.slow
async def test_others_have_their_turn_meanwhile() -> None:
    data = thread(300)
    moments = [time.perf_counter()]
    answer = asyncio.ensure_future(long_reply(data))
    while not answer.done():
        await asyncio.sleep(0)
        moments.append(time.perf_counter())
    longest = max(after - before for before, after in pairwise(moments))
    assert longest < (moments[-1] - moments[0]) / 4


def test_a_reply_is_readable_json_whatever_it_holds() -> None:
    answer = reply({"a": "ä\ud83d"}, status=201)
    assert (answer.status, answer.body) == (201, '{"a": "ä?"}'.encode())
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"

from __future__ import annotations

from pathlib import Path

from ..talking import talking


async def test_the_report_of_each_step_stays_in_the_answer_for_whoever_debugs_it(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        body = {"messages": [{"id": "u", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]}
        answer = await assistant.call("POST", "/chat?debug=context", body)
        assert "transient" not in answer.one("data-context")


async def test_the_first_request_of_an_answer_is_told_in_its_header(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        answer = await assistant.say("hi", thread=await assistant.new_thread())
    context = answer.one("data-context")["data"]
    assert answer.headers["X-Assistant-Context"] == f"{context['estimatedTokens']}/32000 full"
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert answer.text == "Hello there."

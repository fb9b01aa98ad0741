from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.store.costs import today

from ..growth import MOST_AS_LONG, shortest
from ..running_assistant import RunningAssistant
from ..talking import HELLO, talking

USAGE = {"prompt_tokens": 1_000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 600}}
LOOK = {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}], "usage": USAGE}
SAY = {"reply": [{"say": "Hello there."}], "usage": USAGE}
LOOK_AND_SAY = {"about": "A test.", "pace": 0, "after": "repeat", "steps": [LOOK, SAY]}
ONCE = {
    "requests": 1,
    "inputTokens": 1_000,
    "cachedInputTokens": 600,
    "outputTokens": 50,
    "dollars": 0,
    "unpriced": 0,
    "counted": 0,
}
TWICE = {name: count * 2 for name, count in ONCE.items()}


def scenario(*steps: Any) -> Any:
    return {**LOOK_AND_SAY, "steps": list(steps)}


CHARGED_ONCE = scenario({**SAY, "usage": {**USAGE, "cost": 0.25}})
CHARGED = scenario(*({**step, "usage": {**USAGE, "cost": 0.25}} for step in (LOOK, SAY)))


async def costs(assistant: RunningAssistant, path: str = "") -> Any:
    return (await assistant.call("GET", f"/assistant{path}/costs")).json


async def set_to(assistant: RunningAssistant, **values: object) -> None:
    for name, value in values.items():
        reply = await assistant.call("PUT", "/assistant/options", {"name": name, "value": value})
        assert reply.status == 200


def budget_notice(reply: Any) -> str | None:
    notices = [chunk["data"] for chunk in reply.chunks if chunk["type"] == "data-notice"]
    return next((notice["message"] for notice in notices if notice["code"] == "budget"), None)


async def test_what_an_answer_took_is_told_of_it_its_chat_its_day_and_its_model(tmp_path: Path) -> None:
    async with talking(tmp_path, LOOK_AND_SAY) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        [answer] = (await assistant.messages(thread))[1:]
        of_thread = await costs(assistant, f"/threads/{thread}")
        assert of_thread == {"total": TWICE, "answers": [{"messageId": answer["id"], **TWICE}]}
        of_all = await costs(assistant)
        assert of_all["total"] == TWICE
        assert of_all["today"] == {"day": today(), **TWICE}
        assert of_all["days"] == [{"day": today(), "model": "scripted", **TWICE}]
        assert of_all["models"] == [{"model": "scripted", **TWICE}]
        [chat] = of_all["chats"]
        assert chat == {"threadId": thread, "title": chat["title"], **TWICE}


async def test_what_the_provider_does_not_tell_is_counted_and_marked(tmp_path: Path) -> None:
    async with talking(tmp_path, scenario({**SAY, "usage": "none"})) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        total = (await costs(assistant, f"/threads/{thread}"))["total"]
        assert (total["requests"], total["counted"], total["cachedInputTokens"]) == (1, 1, 0)
        assert 3_000 < total["inputTokens"] < 9_000
        assert 1 <= total["outputTokens"] <= 6


async def test_an_answer_says_what_all_its_requests_were_charged(tmp_path: Path) -> None:
    async with talking(tmp_path, CHARGED) as (assistant, _):
        reply = await assistant.say("hi", thread=await assistant.new_thread())
        assert reply.chunks[-1]["messageMetadata"]["custom"]["usage"]["dollars"] == 0.5
        assert (await costs(assistant))["total"]["dollars"] == 0.5


async def test_an_empty_reply_that_is_asked_for_again_was_billed_too(tmp_path: Path) -> None:
    nothing = {"reply": [{"say": ""}], "usage": USAGE}
    async with talking(tmp_path, scenario(nothing, SAY)) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        assert len(provider.requests) == 2
        assert (await costs(assistant, f"/threads/{thread}"))["total"] == TWICE


@pytest.mark.slow
async def test_a_delegated_task_is_charged_to_the_answer_that_delegated_it(tmp_path: Path) -> None:
    delegate = {"reply": [{"call": "delegate", "arguments": {"task": "Look."}}], "usage": USAGE}
    async with talking(tmp_path, scenario(delegate, SAY, SAY)) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        [answer] = (await costs(assistant, f"/threads/{thread}"))["answers"]
        assert answer["requests"] == len(provider.requests) > 2


async def test_a_request_that_is_refused_costs_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_BASE_URL": "http://127.0.0.1:9/v1"}) as (a, _):
        thread = await a.new_thread()
        await a.say("hi", thread=thread)
        assert (await costs(a))["total"]["requests"] == 0


async def test_another_answer_adds_to_the_sum_of_its_chat(tmp_path: Path) -> None:
    async with talking(tmp_path, scenario(SAY)) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        await assistant.say("hi", thread=thread, trigger="regenerate-message")
        of_thread = await costs(assistant, f"/threads/{thread}")
        assert of_thread["total"] == TWICE
        assert len(of_thread["answers"]) == 2


async def test_of_a_deleted_chat_only_its_part_of_the_sums_remains(tmp_path: Path) -> None:
    async with talking(tmp_path, LOOK_AND_SAY) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        await assistant.call("DELETE", f"/assistant/threads/{thread}")
        of_all = await costs(assistant)
        assert of_all["today"]["inputTokens"] == 2_000
        assert of_all["chats"] == [{"threadId": None, "title": None, **TWICE}]


async def test_each_user_is_told_of_their_own_costs(tmp_path: Path) -> None:
    async with talking(tmp_path, LOOK_AND_SAY, users=["ann_1", "ben_1"]) as (assistant, _):
        ann, ben = ({"Comfy-User": name} for name in ("ann_1", "ben_1"))
        thread = (await assistant.call("POST", "/assistant/threads", {}, headers=ann)).json["id"]
        message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "hi"}]}
        await assistant.call("POST", "/chat", {"id": thread, "messages": [message]}, headers=ann)
        for user, requests in ((ann, 2), (ben, 0)):
            told = (await assistant.call("GET", "/assistant/costs", headers=user)).json
            assert told["total"]["requests"] == requests


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "limit", "spent", "typed"),
    [
        ("budget_turn_tokens", 1_000, "1,050 of 1,000 tokens spent on this answer", "budget-turn-tokens"),
        ("budget_day_cents", 20, "$0.25 of $0.20 spent today", "budget-day-dollars"),
    ],
)
async def test_a_turn_stops_at_each_budget_and_goes_on_when_the_person_says_so(
    tmp_path: Path, option: str, limit: int, spent: str, typed: str
) -> None:
    async with talking(tmp_path, CHARGED) as (assistant, provider):
        await set_to(assistant, **{option: limit})
        thread = await assistant.new_thread()
        stopped = await assistant.say("hi", thread=thread)
        notice = budget_notice(stopped)
        assert len(provider.requests) == 1
        assert notice is not None
        assert f"The budget is reached: {spent}." in notice
        assert f"/config {typed}" in notice
        kept = (await assistant.messages(thread))[-1]["parts"][-1]
        assert kept["data"] == {"code": "budget", "message": notice}
        went_on = await assistant.say("Continue.", thread=thread, message_id="u2", beyondBudget=True)
        assert (budget_notice(went_on), went_on.text) == (None, "Hello there.")
        again = await assistant.say("And now?", thread=thread, message_id="u3")
        assert budget_notice(again)


async def test_a_budget_in_dollars_that_sees_no_price_says_so_once_in_a_chat(tmp_path: Path) -> None:
    def told(reply: Any) -> list[str]:
        notices = [chunk["data"] for chunk in reply.chunks if chunk["type"] == "data-notice"]
        return [notice["message"] for notice in notices if notice["code"] == "price-unknown"]

    model = {"COMFYUI_ASSISTANT_MODEL": "claude-nobody-knows"}
    async with talking(tmp_path, scenario(SAY), model) as (assistant, _):
        thread = await assistant.new_thread()
        assert told(await assistant.say("hi", thread=thread)) == []
        await set_to(assistant, budget_day_cents=500)
        [message] = told(await assistant.say("And now?", thread=thread, message_id="u2"))
        assert "budget of $5.00 cannot hold" in message
        assert "2 requests today cost" in message
        again = await assistant.say("And then?", thread=thread, message_id="u3")
        assert (told(again), again.text) == ([], "Hello there.")


async def test_on_a_day_whose_budget_is_spent_no_chat_asks_the_model(tmp_path: Path) -> None:
    async with talking(tmp_path, CHARGED_ONCE) as (assistant, provider):
        await set_to(assistant, budget_day_cents=20)
        thread = await assistant.new_thread()
        assert budget_notice(await assistant.say("one", thread=thread)) is None
        assert budget_notice(await assistant.say("two", thread=thread, message_id="u2"))
        assert len(provider.requests) == 1
        [*_, question, answer] = await assistant.messages(thread)
        assert (question["role"], answer["role"]) == ("user", "assistant")
        assert budget_notice(await assistant.say("elsewhere", thread=await assistant.new_thread()))
        assert len(provider.requests) == 1


@pytest.mark.slow
async def test_tokens_are_counted_anew_for_each_answer(tmp_path: Path) -> None:
    async with talking(tmp_path, scenario(SAY)) as (assistant, provider):
        await set_to(assistant, budget_turn_tokens=1_000)
        thread = await assistant.new_thread()
        for number, text in enumerate(("one", "two")):
            reply = await assistant.say(text, thread=thread, message_id=f"u{number}")
            assert (budget_notice(reply), reply.text) == (None, "Hello there.")
        assert len(provider.requests) == 2


async def test_the_budgets_of_a_second_process_count_what_the_first_has_spent(tmp_path: Path) -> None:
    async with (
        talking(tmp_path, CHARGED_ONCE) as (first, provider),
        talking(tmp_path, provider=provider) as (second, _),
    ):
        await set_to(first, budget_day_cents=20)
        await first.say("hi", thread=await first.new_thread())
        assert budget_notice(await second.say("hi", thread=await second.new_thread()))
        assert await costs(first) == await costs(second)


@pytest.mark.slow
async def test_a_page_of_ten_thousand_requests_comes_at_once(tmp_path: Path) -> None:
    async with talking(tmp_path, HELLO) as (assistant, _):
        thread = await assistant.new_thread()
        file = tmp_path / "assistant.sqlite3"
        with closing(sqlite3.connect(file)) as connection:
            row = (
                "INSERT INTO cost (thread_id, owner, message_id, kind, model, created_at, day, input_tokens,"
            )
            row += (
                " cached_input_tokens, output_tokens, is_counted, dollars) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"
            )
            connection.executemany(
                row,
                [
                    (thread, "default", f"a{n // 4}", "answer", f"m{n % 5}", 0, today(), 9, 4, 1, 0, 0.001)
                    for n in range(10_000)
                ],
            )
            connection.commit()
            plain = shortest(lambda: connection.execute("SELECT * FROM cost").fetchall())
            assert (await costs(assistant))["total"]["requests"] == 10_000
            times: list[float] = []
            for _ in range(5):
                began = time.process_time()
                await costs(assistant)
                times.append(time.process_time() - began)
        print(f"page {min(times) * 1_000:.1f} ms, plain read {plain * 1_000:.1f} ms")
        assert min(times) < plain * MOST_AS_LONG

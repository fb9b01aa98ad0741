"""What the store does on SQLite, on a real PostgreSQL: `make test-postgresql`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.chat import turn_tabs
from comfyui_assistant.engine.store import turn_leases
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.turn_leases import Renewal, TurnLeases

from dev.scripted.provider import ScriptedProvider

from ..another_process import (
    ADDS_A_NODE,
    LEASE_SECONDS,
    NEVER_ENDS,
    SLOWLY,
    follows,
    stops_what_a_page_does,
    stops_what_streams,
    takes_over,
)
from ..assistant_process import assistant_process
from ..running_assistant import RunningAssistant, running_assistant

LOOKS_AND_SAYS: dict[str, Any] = {
    "about": "Looks a node up, then answers.",
    "pace": 0,
    "steps": [
        {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
        {"reply": [{"say": "It wants a model, 漢字 and é."}]},
    ],
    "after": "repeat",
}
FILLER = "and so on, as one says when there is more. " * 30


@pytest.fixture(autouse=True)
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_leases, "LEASE_SECONDS", LEASE_SECONDS)


@asynccontextmanager
async def talking(
    data: Path, database: str, scenario: dict[str, Any] = LOOKS_AND_SAYS
) -> AsyncIterator[RunningAssistant]:
    async with ScriptedProvider(scenario, pace=0) as provider:
        settings = {
            "COMFYUI_ASSISTANT_BASE_URL": provider.base_url,
            "COMFYUI_ASSISTANT_MODEL": "scripted",
            "COMFYUI_ASSISTANT_DATABASE_URL": database,
        }
        async with running_assistant(data, settings) as assistant:
            yield assistant


async def test_a_conversation_is_kept_and_is_the_same_after_a_restart(tmp_path: Path, database: str) -> None:
    async with talking(tmp_path, database) as assistant:
        thread = await assistant.new_thread()
        for number in range(3):
            said = f"Aubergine number {number}, with a \x00 in it. {FILLER}"
            answer = await assistant.say(said, thread=thread, message_id=f"u{number}")
            assert answer.text == "It wants a model, 漢字 and é."
        kept = await assistant.messages(thread)
        assert len(kept) == 6
    async with talking(tmp_path, database) as assistant:
        assert await assistant.messages(thread) == kept
        sent = (await assistant.call("GET", f"/assistant/threads/{thread}/requests")).json["requests"]
        assert len(sent) == 6
        assert (await assistant.call("DELETE", f"/assistant/threads/{thread}")).status == 204
        assert (await assistant.call("GET", "/assistant/threads")).json["threads"] == []


async def test_what_was_said_is_found_by_words_and_parts_of_words(tmp_path: Path, database: str) -> None:
    async with talking(tmp_path, database) as assistant:
        for number, said in enumerate(("a red sky over the harbour", "greenhouses in teal", "夜の港")):
            thread = await assistant.new_thread()
            await assistant.say(said, thread=thread, message_id=f"u{number}")

        async def found(query: str) -> list[str]:
            answer = await assistant.call("GET", "/assistant/search", params={"query": query})
            return [result["threadTitle"] for result in answer.json["results"]]

        assert await found("red sky") == ["a red sky over the harbour"]
        assert await found("greenhouse") == ["greenhouses in teal"]
        assert await found("夜の") == ["夜の港"]
        assert await found("aubergine") == []


async def test_the_context_is_condensed_and_brought_back_and_two_can_write_at_once(
    tmp_path: Path, database: str
) -> None:
    async with talking(tmp_path / "one", database) as one, talking(tmp_path / "other", database) as other:
        threads = [await one.new_thread(), await other.new_thread()]
        for number in range(3):
            answers = await asyncio.gather(
                *(
                    each.say(f"Wish {number}. {FILLER}", thread=thread, message_id=f"{thread}-{number}")
                    for each, thread in zip((one, other), threads, strict=True)
                )
            )
            assert [answer.status for answer in answers] == [200, 200]
        path = f"/assistant/threads/{threads[0]}/context"
        before = (await one.call("GET", path)).json
        condensed = (await one.call("POST", path, {"action": "compact"})).json
        assert condensed["estimatedTokens"] < before["estimatedTokens"]
        brought_back = (await other.call("POST", path, {"action": "undo"})).json
        assert brought_back["messages"] == before["messages"]
        assert brought_back["estimatedTokens"] >= before["estimatedTokens"]
        assert (await one.call("GET", path)).json["compactions"][0]["status"] == "void"


async def test_a_stop_in_one_process_ends_the_turn_that_runs_in_another(
    tmp_path: Path, database: str
) -> None:
    async with (
        ScriptedProvider(NEVER_ENDS, pace=0) as provider,
        talking(tmp_path / "other", database) as other,
        assistant_process(tmp_path / "one", provider.base_url, database_url=database) as (one, _),
    ):
        thread = await stops_what_streams(one, other)
        answer = await other.say("and?", thread=thread, message_id="u2")
        assert answer.text == "It wants a model, 漢字 and é."


async def test_a_stop_in_one_process_ends_what_a_page_of_another_does(tmp_path: Path, database: str) -> None:
    calls_twice = {**ADDS_A_NODE, "steps": ADDS_A_NODE["steps"][:1], "after": "repeat"}
    async with (
        ScriptedProvider(calls_twice, pace=0) as provider,
        talking(tmp_path / "other", database, calls_twice) as other,
        assistant_process(tmp_path / "one", provider.base_url, database_url=database) as (one, _),
    ):
        await stops_what_a_page_does(one, other)


async def test_what_another_process_writes_is_told_followed_and_read_when_it_is_over(
    tmp_path: Path, database: str
) -> None:
    async with (
        talking(tmp_path / "one", database, SLOWLY) as one,
        talking(tmp_path / "other", database) as other,
    ):
        await follows(one, other)


async def test_a_page_goes_on_with_a_turn_of_the_other_process_when_the_page_there_is_gone(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_tabs, "_PATIENCE_SECONDS", 0.2)
    goes_on = {**ADDS_A_NODE, "steps": ADDS_A_NODE["steps"][1:], "after": "repeat"}
    async with (
        talking(tmp_path / "one", database, ADDS_A_NODE) as one,
        talking(tmp_path / "other", database, goes_on) as other,
    ):
        await takes_over(one, other)


async def test_a_thread_is_one_process_s_until_its_lease_is_given_back_or_over(database: str) -> None:
    databases = Database(database), Database(database)
    ours, theirs = (TurnLeases(each, seconds=0.5) for each in databases)
    assert [await asyncio.gather(ours.acquire("t1"), theirs.acquire("t2"))] == [[None, None]]
    assert await theirs.acquire("t1") is not None
    assert [await each.is_elsewhere("t1") for each in (ours, theirs)] == [False, True]
    assert await theirs.ask_to_stop("t1", "a1")
    assert await ours.renew("t1") == Renewal(stop="a1")
    await ours.release("t1")
    assert await theirs.acquire("t1") is None
    await asyncio.sleep(0.6)
    assert await ours.acquire("t1") is None
    assert await theirs.renew("t1") == Renewal(is_lost=True)
    for each in databases:
        each.close()

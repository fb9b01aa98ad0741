from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.messages import dump
from comfyui_assistant.engine.chat.thread_context.turn_context import new_compaction
from comfyui_assistant.engine.context.compaction import clear_conversation
from comfyui_assistant.engine.store.compactions import (
    Compactions,
    StoredCompaction,
    active_compactions,
    pending_compaction,
    pending_summary,
)
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

FIRST = StoredCompaction(
    id="compaction_1",
    created_at=1_760_000_000.5,
    cause="rule",
    state='{"upto":"u4"}',
    text="The sky shall be red.",
    turns=4,
    rounds=9,
    tokens_before=24_000,
    tokens_after=12_500,
)


@pytest.fixture
def compactions(database: Database) -> Compactions:
    return Compactions(database)


Listing = Callable[[str], Awaitable[list[StoredCompaction]]]


@pytest.fixture
def listed(database: Database, compactions: Compactions) -> Listing:
    return lambda thread_id: database.run(lambda connection: compactions.select(connection, thread_id))


async def test_compactions_are_listed_as_they_were_added(
    compactions: Compactions, listed: Listing, thread_id: str
) -> None:
    second = replace(FIRST, id="compaction_2", created_at=1.0, cause="model", status="pending")
    await compactions.add(thread_id, FIRST)
    await compactions.add(thread_id, second)
    assert await listed(thread_id) == [FIRST, second]


async def test_a_compaction_is_taken_back(compactions: Compactions, listed: Listing, thread_id: str) -> None:
    await compactions.add(thread_id, FIRST)
    await compactions.void(thread_id, FIRST.id)
    assert await listed(thread_id) == [replace(FIRST, status="void")]


async def test_what_another_process_adds_and_takes_back_is_seen(
    compactions: Compactions, listed: Listing, database: Database, thread_id: str
) -> None:
    other = Compactions(database)
    await compactions.add(thread_id, FIRST)
    kept = (await listed(thread_id))[0]
    await other.add(thread_id, second := replace(FIRST, id="compaction_2"))
    await other.void(thread_id, FIRST.id)
    assert await listed(thread_id) == [replace(FIRST, status="void"), second]
    assert (await listed(thread_id))[0].text is kept.text


async def test_threads_do_not_see_each_others_compactions(
    compactions: Compactions, listed: Listing, store: ThreadStore, thread_id: str
) -> None:
    other = (await store.create()).id
    await compactions.add(thread_id, FIRST)
    await compactions.add(other, FIRST)
    await compactions.void(other, FIRST.id)
    assert [one.status for one in await listed(thread_id)] == ["active"]
    await store.delete(thread_id)
    assert await listed(thread_id) == []
    assert len(await listed(other)) == 1


async def test_a_compaction_that_is_not_there_is_named(compactions: Compactions, thread_id: str) -> None:
    with pytest.raises(RequestError) as caught:
        await compactions.void(thread_id, "compaction_9")
    assert (caught.value.code, caught.value.status) == ("not_found", 404)
    with pytest.raises(RequestError) as caught:
        await compactions.add("thread_gone", FIRST)
    assert caught.value.code == "unknown_thread"


TWO_MESSAGES: Any = [
    {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "A fox."}]},
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Here."}]},
]
STATE = clear_conversation(TWO_MESSAGES)
CLEARED = new_compaction(STATE, "clear", 900, 0)
CONVERSATION: Any = [
    {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "A fox."}]},
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Here."}]},
    {"id": "u2", "role": "user", "parts": [{"type": "text", "text": "A bear."}]},
]
PENDING = StoredCompaction(
    id="compaction_1",
    created_at=0.0,
    cause="model",
    state=dump({"users": 1, "messages": 2, "last": "a1"}),
    text="A fox was made.",
    turns=1,
    rounds=0,
    tokens_before=0,
    tokens_after=0,
    status="pending",
)


@pytest.mark.parametrize(
    ("stored", "states"),
    [
        (CLEARED, [STATE]),
        (replace(CLEARED, status="void"), []),
        (replace(CLEARED, status="pending"), []),
        (replace(CLEARED, state="{"), []),
        (replace(CLEARED, state="{}"), []),
    ],
    ids=["active", "taken back", "pending", "damaged", "of another form"],
)
def test_what_holds_is_active_and_can_be_read(stored: Any, states: Any) -> None:
    assert active_compactions([stored]) == states


@pytest.mark.parametrize(
    ("entries", "users"),
    [
        ([PENDING], 1),
        ([], None),
        ([PENDING, replace(PENDING, id="compaction_2", status="active", cause="rule")], None),
        ([replace(PENDING, state="no JSON")], None),
        ([replace(PENDING, state=dump({"users": 1, "messages": 2, "last": "other"}))], None),
    ],
    ids=["it waits", "there is none", "something was condensed since", "it is damaged", "of another branch"],
)
def test_a_summary_waits_for_its_use_on_the_branch_that_it_is_about(entries: Any, users: int | None) -> None:
    summary = pending_summary(entries, CONVERSATION)
    assert (summary and (summary.text, summary.users)) == (users and ("A fox was made.", users))


def test_a_summary_that_was_just_written_waits() -> None:
    entry = pending_compaction("A fox.", CONVERSATION)
    assert (entry.status, entry.cause) == ("pending", "model")
    summary = pending_summary([entry], [*CONVERSATION, {"id": "a2", "role": "assistant", "parts": []}])
    assert summary is not None
    assert (summary.text, summary.users) == ("A fox.", 2)

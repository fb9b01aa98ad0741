from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.compactions import Compactions, StoredCompaction
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

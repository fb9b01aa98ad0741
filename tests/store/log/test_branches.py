from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.branches import Branch, BranchTree
from comfyui_assistant.engine.store.log.event_log import EventRow, fold
from comfyui_assistant.engine.store.threads import ThreadStore

from ..log_events import call, draft, result, rewind, step, text, user
from ..message_ids import message_ids


async def switch_to_newest_but(store: ThreadStore, thread_id: str, count: int) -> str:
    branch = (await store.branches(thread_id))[-1 - count]
    await store.switch(thread_id, branch.id)
    return branch.id


async def test_a_thread_begins_with_one_branch(store: ThreadStore, thread_id: str) -> None:
    assert (await store.read(thread_id)).branch_id == "0"
    await store.append(thread_id, [user("u1", "  make a\nred sky ")])
    (only,) = await store.branches(thread_id)
    assert (only.id, only.parent_id, only.is_current) == ("0", None, True)
    assert (only.first_message_id, only.preview) == ("u1", "make a red sky")


async def test_an_edit_begins_a_branch_and_the_one_before_is_kept(store: ThreadStore, thread_id: str) -> None:
    await store.append(thread_id, [user("u1", "one"), step("a1", text("1")), user("u2", "two")])
    await store.append(thread_id, [step("a2", text("2"))])
    await store.append(thread_id, [rewind("a1"), user("u3", "three")])
    assert await message_ids(store, thread_id) == ["u1", "a1", "u3"]
    first, edited = await store.branches(thread_id)
    assert (await store.read(thread_id)).branch_id == edited.id
    assert edited == Branch(
        id=edited.id,
        parent_id="0",
        fork_message_id="a1",
        first_message_id="u3",
        created_at=edited.created_at,
        is_current=True,
        preview="three",
    )
    assert not first.is_current
    await store.switch(thread_id, first.id)
    assert await message_ids(store, thread_id) == ["u1", "a1", "u2", "a2"]
    await store.switch(thread_id, edited.id)
    assert await message_ids(store, thread_id) == ["u1", "a1", "u3"]


async def test_each_branch_goes_on_from_where_it_was_left(store: ThreadStore, thread_id: str) -> None:
    await store.append(thread_id, [user("u1", "one"), step("a1", call("c1"))])
    await store.append(thread_id, [rewind("u1"), step("a2", text("another answer"))])
    await switch_to_newest_but(store, thread_id, 1)
    await store.append(thread_id, [result("a1", "c1", "Added."), step("a1", text("done"))])
    await switch_to_newest_but(store, thread_id, 0)
    await store.append(thread_id, [user("u2", "more")])
    assert await message_ids(store, thread_id) == ["u1", "a2", "u2"]
    await switch_to_newest_but(store, thread_id, 1)
    messages = await store.messages(thread_id)
    assert [message["id"] for message in messages] == ["u1", "a1"]
    assert messages[1]["parts"][1]["state"] == "output-available"
    assert messages[1]["parts"][-1] == text("done")


async def test_what_a_branch_gains_later_does_not_show_in_the_one_that_grew_out_of_it(
    store: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one"), step("a1", text("1")), user("u2", "two")])
    await store.append(thread_id, [rewind("u1"), step("b1", text("other")), user("v2", "on")])
    await store.append(thread_id, [rewind("b1"), user("w2", "third")])
    assert [branch.parent_id for branch in await store.branches(thread_id)][1:] == [
        "0",
        (await store.branches(thread_id))[1].id,
    ]
    await switch_to_newest_but(store, thread_id, 1)
    await store.append(thread_id, [step("x2", text("late"))])
    assert await message_ids(store, thread_id) == ["u1", "b1", "v2", "x2"]
    await switch_to_newest_but(store, thread_id, 0)
    assert await message_ids(store, thread_id) == ["u1", "b1", "w2"]
    await store.switch(thread_id, "0")
    assert await message_ids(store, thread_id) == ["u1", "a1", "u2"]


def test_ten_thousand_retries_are_ten_thousand_branches() -> None:
    question = EventRow(1, "user", "u1", '{"parts":[{"type":"text","text":"one"}]}', 0.0)
    retries = (EventRow(2 + number, "rewind", "u1", "{}", 0.0) for number in range(10_000))
    tree = BranchTree([question, *retries])
    events, damaged = tree.read()
    assert (tree.current, len(tree.branches()), damaged) == ("10001", 10_001, [])
    assert [message["id"] for message in fold(events)] == ["u1"]


async def test_going_back_appends_and_rewrites_nothing(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one"), rewind(""), user("u2", "two")])
    log = "SELECT seq, kind, payload FROM event ORDER BY seq"
    before = await database.run(lambda connection: connection.exec_driver_sql(log).fetchall())
    await store.switch(thread_id, "0")
    await store.switch(thread_id, "0")
    after = await database.run(lambda connection: connection.exec_driver_sql(log).fetchall())
    assert after[:-1] == before
    assert after[-1][1:] == ("switch", '{"branch":"0"}')


async def test_the_draft_of_an_interrupted_step_stays_on_its_branch(
    store: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one"), rewind(""), user("u2", "two")])
    await store.save_drafts(draft(thread_id, "a2", [{"type": "step-start"}, text("Half")]))
    await store.switch(thread_id, "0")
    assert await message_ids(store, thread_id) == ["u1"]
    await switch_to_newest_but(store, thread_id, 0)
    assert await message_ids(store, thread_id) == ["u2", "a2"]


async def test_a_branch_that_is_not_there_is_named(store: ThreadStore, thread_id: str) -> None:
    with pytest.raises(RequestError) as caught:
        await store.switch(thread_id, "77")
    assert (caught.value.code, caught.value.status) == ("not_found", 404)
    with pytest.raises(RequestError) as caught:
        await store.branches("thread_gone")
    assert caught.value.code == "unknown_thread"

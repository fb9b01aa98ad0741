from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.base.comfy_user import acting_for
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.drafts import DraftPiece
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.stream.parts import StepNews

from ..log_events import draft, text, user


def more(thread_id: str, number: int, grow: str) -> DraftPiece:
    return DraftPiece(thread_id, "a1", StepNews(number=number, keep=1, grow=grow, parts=[]))


async def words(store: ThreadStore, thread_id: str) -> Any:
    return (await store.messages(thread_id))[-1]["parts"]


async def test_the_pieces_of_a_draft_are_read_as_one(store: ThreadStore, thread_id: str) -> None:
    await store.append(thread_id, [user("u1", "hello")])
    await store.save_drafts([*draft(thread_id, "a1", [text("One")]), more(thread_id, 1, ", two")])
    await store.save_drafts([more(thread_id, 2, ", three")])
    assert await words(store, thread_id) == [text("One, two, three")]


async def test_the_drafts_of_many_threads_and_users_are_written_at_once(store: ThreadStore) -> None:
    ids: list[str] = []
    for name in ("ann", "bob"):
        with acting_for(name):
            ids.append((await store.create()).id)
    with acting_for("ann"):
        await store.save_drafts([*draft(ids[0], "a1", [text("A")]), *draft(ids[1], "a1", [text("B")])])
    assert [await words(store, thread_id) for thread_id in ids] == [[text("A")], [text("B")]]


async def test_nothing_is_kept_of_a_deleted_thread_and_the_others_are(
    store: ThreadStore, thread_id: str
) -> None:
    gone = (await store.create()).id
    await store.delete(gone)
    await store.save_drafts([*draft(gone, "a1", [text("Gone")]), *draft(thread_id, "a1", [text("Here")])])
    assert await words(store, thread_id) == [text("Here")]


async def test_a_draft_of_which_a_piece_is_damaged_is_read_up_to_there_and_named(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.save_drafts([*draft(thread_id, "a1", [text("One")]), more(thread_id, 1, ", two")])
    await store.save_drafts([more(thread_id, 2, ", three")])
    await database.run(
        lambda connection: connection.exec_driver_sql("UPDATE draft SET payload = '{' WHERE seq = 2")
    )
    thread = await store.read(thread_id)
    assert thread.messages[-1]["parts"] == [text("One")]
    assert thread.damage == [(0, "the draft of the last step: a piece of it is no draft")]


async def test_a_draft_of_before_there_were_pieces_is_read(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.save_drafts(draft(thread_id, "a1", [text("One")]))
    whole = '{"parts":[{"type":"text","text":"All of it"}]}'
    await database.run(
        lambda connection: connection.exec_driver_sql("UPDATE draft SET payload = ?", (whole,))
    )
    assert await words(store, thread_id) == [{"type": "text", "text": "All of it"}]

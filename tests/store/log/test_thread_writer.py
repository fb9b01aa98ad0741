from __future__ import annotations

import asyncio
import logging
import tracemalloc
from collections.abc import Sequence
from typing import Any

import pytest
from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.log.thread_writer import BROKEN_OFF, DraftPiece, DraftWriter
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.stream.parts import StepDelta

from ..log_events import draft, step, text, user


async def test_the_draft_of_a_step_that_never_ended_is_kept(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "hello")])
    await store.save_drafts(draft(thread.id, "a1", [{"type": "step-start"}, text("Half an ans")]))
    await store.append(thread.id, [user("u2", "go on")])
    messages = await store.messages(thread.id)
    assert [message["id"] for message in messages] == ["u1", "a1", "u2"]
    assert messages[1]["parts"] == [{"type": "step-start"}, text("Half an ans"), BROKEN_OFF.part]


async def test_a_draft_whose_message_goes_on_did_not_break_off(store: ThreadStore) -> None:
    thread = await store.create()
    await store.save_drafts(draft(thread.id, "a1", [{"type": "step-start"}, text("Half")]))
    failure = {"type": "data-error", "data": {"message": "No."}}
    await store.append(thread.id, [LogEvent("data", "a1", {"part": failure})])
    (message,) = await store.messages(thread.id)
    assert message["parts"] == [{"type": "step-start"}, text("Half"), failure]


async def test_a_finished_step_takes_the_place_of_its_draft(store: ThreadStore) -> None:
    thread = await store.create()
    await store.append(thread.id, [user("u1", "hello")])
    await store.save_drafts(draft(thread.id, "a1", [{"type": "step-start"}, text("Half")]))
    await store.append(thread.id, [step("a1", text("Half and half"))])
    assert (await store.messages(thread.id))[1]["parts"] == [{"type": "step-start"}, text("Half and half")]


@pytest.mark.slow
async def test_of_a_message_of_megabytes_only_the_beginning_is_read_for_the_title(store: ThreadStore) -> None:
    await store.append((await store.create()).id, [user("u0", "wake up")])
    thread = (await store.create()).id
    tracemalloc.start()
    await store.append(thread, [user("u1", " \n" * 2_000 + "make a red image " + "xxxxx " * 1_000_000)])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (await store.list())[0].title == "make a red image" + " xxxxx" * 7 + "…"
    assert most < 55_000_000


async def test_a_thread_that_begins_with_a_file_is_titled_by_its_name(store: ThreadStore) -> None:
    thread = await store.create()
    file = {
        "type": "file",
        "filename": "input/cats.json",
        "mediaType": "application/json",
        "url": "http://x/",
    }
    await store.append(thread.id, [LogEvent("user", "u1", {"parts": [file]})])
    assert (await store.list())[0].title == "cats.json"


def more(thread_id: str, number: int, grow: str) -> DraftPiece:
    return DraftPiece(thread_id, "a1", StepDelta(number=number, keep=1, grow=grow, parts=[]))


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


def piece(thread_id: str, words: str) -> DraftPiece:
    return draft(thread_id, "a1", [text(words)])[0]


class Disk:
    """Refuses so many writes, and each takes as long as `may_write` lets it."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals = refusals
        self.writes: list[list[str]] = []
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.writer = DraftWriter(self.write, moment_seconds=0.01, patience_seconds=0.02)

    async def write(self, pieces: Sequence[DraftPiece]) -> None:
        await self.may_write.wait()
        if self.refusals:
            self.refusals -= 1
            raise StoreError("store_failed", "The disk is full.")
        self.writes.append([f"{each.thread_id}: {each.news['parts'][0]['text']}" for each in pieces])

    async def settle(self) -> None:
        await asyncio.sleep(0.1)


async def test_what_comes_within_a_moment_is_one_write() -> None:
    disk = Disk()
    for number in range(200):
        disk.writer.note(piece(f"t{number}", "words"))
    await disk.settle()
    assert [len(write) for write in disk.writes] == [200]


async def test_what_comes_during_a_write_is_the_next() -> None:
    disk = Disk()
    disk.may_write.clear()
    disk.writer.note(piece("t1", "one"))
    await disk.settle()
    disk.writer.note(piece("t1", "two"))
    disk.may_write.set()
    await disk.settle()
    assert disk.writes == [["t1: one"], ["t1: two"]]


async def test_what_a_full_disk_refused_is_written_in_its_order_when_there_is_room_and_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    disk = Disk(refusals=2)
    with caplog.at_level(logging.WARNING):
        disk.writer.note(piece("t1", "one"))
        await asyncio.sleep(0.015)
        disk.writer.note(piece("t1", "two"))
        await disk.settle()
    assert disk.writes == [["t1: one", "t1: two"]]
    assert caplog.text.count("The disk is full.") == 1


async def test_what_a_step_takes_the_place_of_is_not_written_behind_it() -> None:
    disk = Disk()
    disk.writer.note(piece("t1", "half"))
    disk.writer.note(piece("t2", "half"))
    with disk.writer.replace("t1"):
        await disk.settle()
    await disk.settle()
    assert disk.writes == [["t2: half"]]


async def test_nor_is_what_was_refused_while_the_step_was_written() -> None:
    disk = Disk(refusals=1)
    disk.may_write.clear()
    disk.writer.note(piece("t1", "half"))
    await disk.settle()
    with disk.writer.replace("t1"):
        pass
    disk.may_write.set()
    await disk.settle()
    assert disk.writes == []


async def test_it_is_written_where_the_step_cannot_be() -> None:
    disk = Disk()
    disk.writer.note(piece("t1", "half"))
    with pytest.raises(StoreError), disk.writer.replace("t1"):
        raise StoreError("store_failed", "The disk is full.")
    await disk.settle()
    assert disk.writes == [["t1: half"]]

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.log.thread_reader import ActiveThreads, Thread, branch_tree, read_thread
from comfyui_assistant.engine.store.rows import require_thread
from comfyui_assistant.engine.store.threads import ThreadStore
from hypothesis import given
from hypothesis import strategies as st

from ...cases import cases
from ..log_events import call, draft, result, rewind, step, text, user

FORMS_ARE_NO_TEXTS = (0, "its system messages are not texts by form")


async def test_a_thread_is_read_with_all_that_belongs_to_it(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one"), step("a1", text("1")), rewind("u1")])
    await store.keep_system_forms(thread_id, {"full": "You are the assistant."})
    await store.save_drafts(draft(thread_id, "a2", [{"type": "step-start"}, text("Half")]))
    thread = await database.run(read_thread, thread_id, store.active)
    assert thread == Thread(
        "one",
        [
            {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "one"}]},
            {"id": "a2", "role": "assistant", "parts": [{"type": "step-start"}, text("Half")]},
        ],
        {"full": "You are the assistant."},
        thread.updated_at,
        "3",
        [],
        thread.memo,
        has_draft=True,
    )
    assert thread.updated_at > 0


async def test_what_was_written_of_a_thread_for_a_model_stays_with_it(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one")])
    first = await database.run(read_thread, thread_id, store.active)
    again = await database.run(read_thread, thread_id, store.active)
    assert again.memo is first.memo
    assert (await database.run(read_thread, thread_id, ActiveThreads())).memo is not first.memo


@pytest.mark.parametrize(
    ("stored", "forms", "damage"),
    [
        pytest.param(None, {}, [], id="none yet"),
        pytest.param('{"full":"You are."}', {"full": "You are."}, [], id="texts by form"),
        pytest.param("{", {}, [FORMS_ARE_NO_TEXTS], id="cut off"),
        pytest.param("null", {}, [FORMS_ARE_NO_TEXTS], id="nothing"),
        pytest.param('["You are."]', {}, [FORMS_ARE_NO_TEXTS], id="a list"),
        pytest.param('{"full":7}', {}, [FORMS_ARE_NO_TEXTS], id="a number"),
    ],
)
async def test_system_messages_are_texts_or_named(
    store: ThreadStore, database: Database, thread_id: str, stored: str | None, forms: Any, damage: Any
) -> None:
    await database.run(
        lambda connection: connection.exec_driver_sql("UPDATE thread SET system_forms = ?", (stored,))
    )
    thread = await database.run(read_thread, thread_id, store.active)
    assert (thread.system_forms, thread.damage) == (forms, damage)


async def test_a_damaged_draft_or_system_message_does_not_hide_the_thread(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one")])
    await store.save_drafts(draft(thread_id, "a3", [text("Half")]))
    await database.run(lambda connection: connection.exec_driver_sql("UPDATE draft SET payload = '{'"))
    await database.run(lambda connection: connection.exec_driver_sql("UPDATE thread SET system_forms = '{'"))
    thread = await store.read(thread_id)
    assert thread.system_forms == {}
    assert [seq for seq, _ in thread.damage] == [0, 0]
    await store.append(thread_id, [user("u3", "go on")])
    assert (await store.messages(thread_id))[-1]["id"] == "u3"


async def test_the_first_branch_is_as_old_as_its_thread(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await database.run(lambda connection: connection.exec_driver_sql("UPDATE thread SET created_at = 7"))
    await store.append(thread_id, [user("u1", "one")])
    (branch,) = await database.run(
        lambda connection: branch_tree(connection, require_thread(connection, thread_id)).branches()
    )
    assert branch.created_at == 7


async def test_a_thread_that_is_not_there_cannot_be_read(store: ThreadStore, database: Database) -> None:
    with pytest.raises(RequestError) as caught:
        await database.run(read_thread, "thread_gone", store.active)
    assert caught.value.code == "unknown_thread"


@pytest.fixture
def other(folder: Path, database: Database) -> Iterator[ThreadStore]:
    """The store of another process on the same file."""
    another = Database.in_folder(folder)
    yield ThreadStore(another)
    another.close()


def shown(thread: Thread) -> Any:
    return thread.messages, thread.branch_id, thread.damage


async def read_anew(store: ThreadStore, thread_id: str) -> Any:
    """As a process reads it that has never seen the thread."""
    return shown(await ThreadStore(store._database).read(thread_id))


async def test_what_was_read_before_is_not_read_again(store: ThreadStore, thread_id: str) -> None:
    await store.append(thread_id, [user("u1", "one"), step("a1", call("c1")), result("a1", "c1", "Added.")])
    before = (await store.read(thread_id)).messages
    await store.append(thread_id, [step("a1", text("done")), user("u2", "two")])
    after = (await store.read(thread_id)).messages
    assert after[0] is before[0]
    assert [id(part) for part in after[1]["parts"]][:2] == [id(part) for part in before[1]["parts"]]
    assert [len(message["parts"]) for message in after] == [1, 4, 1]


async def test_what_was_handed_out_never_changes(store: ThreadStore, thread_id: str) -> None:
    await store.append(thread_id, [user("u1", "one"), step("a1", call("c1"))])
    messages = (await store.read(thread_id)).messages
    as_it_was = copy.deepcopy(messages)
    await store.append(thread_id, [result("a1", "c1", "Added."), step("a1", text("done"))])
    await store.append(thread_id, [LogEvent("metadata", "a1", {"steps": 2}), user("u2", "two"), rewind("u1")])
    assert (await store.read(thread_id)).messages != messages == as_it_was
    messages.clear()
    assert (await store.messages(thread_id)) == as_it_was[:1]


async def test_what_another_process_writes_is_seen(
    store: ThreadStore, other: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one")])
    await store.read(thread_id)
    await other.append(thread_id, [step("a1", text("1")), rewind("u1"), step("a2", text("2"))])
    thread = await store.read(thread_id)
    assert [message["id"] for message in thread.messages] == ["u1", "a2"]
    await other.switch(thread_id, "0")
    assert [message["id"] for message in await store.messages(thread_id)] == ["u1", "a1"]
    await store.append(thread_id, [user("u2", "two")])
    assert [message["id"] for message in await other.messages(thread_id)] == ["u1", "a1", "u2"]
    await other.delete(thread_id)
    with pytest.raises(RequestError, match="This chat does not exist"):
        await store.read(thread_id)


async def test_the_draft_of_an_interrupted_step_is_read_as_it_is_now(
    store: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one")])
    for words in ("On", "One mo", "One moment"):
        await store.save_drafts(draft(thread_id, "a1", [{"type": "step-start"}, text(words)]))
        assert (await store.messages(thread_id))[-1]["parts"][-1] == text(words)
    await store.append(thread_id, [step("a1", text("One moment, please."))])
    assert (await store.messages(thread_id))[-1]["parts"] == [
        {"type": "step-start"},
        text("One moment, please."),
    ]


async def test_a_file_in_place_of_the_one_before_is_read_from_its_start(folder: Path, tmp_path: Path) -> None:
    stores: list[ThreadStore] = []
    for place, words in ((folder, "of this file"), (tmp_path / "other", "of the other file")):
        database = Database.in_folder(place)
        stores.append(ThreadStore(database))
        await database.run(
            lambda connection: connection.exec_driver_sql(
                "INSERT INTO thread (id, created_at, updated_at) VALUES ('same', 1, 1)"
            )
        )
        await stores[-1].append("same", [user("u1", words), user("u2", words)])
    assert (await stores[0].messages("same"))[0]["parts"] == [{"type": "text", "text": "of this file"}]
    stores[1]._database.close()
    for name in ("assistant.sqlite3", "assistant.sqlite3-wal", "assistant.sqlite3-shm"):
        (folder / name).unlink(missing_ok=True)
    (tmp_path / "other" / "assistant.sqlite3").rename(folder / "assistant.sqlite3")
    assert (await stores[0].messages("same"))[0]["parts"] == [{"type": "text", "text": "of the other file"}]
    stores[0]._database.close()


async def test_a_damaged_entry_that_comes_later_is_named(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "one")])
    await store.read(thread_id)
    await store.append(thread_id, [step("a1", text("1"))])
    await database.run(
        lambda connection: connection.exec_driver_sql(
            "UPDATE event SET payload = '{' WHERE message_id = 'a1'"
        )
    )
    thread = await store.read(thread_id)
    assert [seq for seq, _ in thread.damage] == [2]
    assert shown(thread) == await read_anew(store, thread_id)


async def test_the_kept_conversations_are_bounded_and_the_ones_longest_unused_go_first(
    database: Database,
) -> None:
    store = ThreadStore(database, most_kept_bytes=25_000)
    ids = [(await store.create()).id for _ in range(4)]
    for thread_id in ids:
        await store.append(thread_id, [user("u1", "x" * 10_000)])
    first, second, third, huge = ids
    await store.append(huge, [user("u2", "x" * 30_000)])
    kept = (await store.read(first)).messages[0]
    forgotten = (await store.read(second)).messages[0]
    await store.read(first)
    await store.read(third)
    assert 20_000 < store.active.size <= 25_000
    assert (await store.read(first)).messages[0] is kept
    assert (await store.read(second)).messages[0] is not forgotten
    assert len(await store.messages(huge)) == 2
    assert store.active.size <= 25_000


def _some_events(random: Random, names: Iterator[int], known: list[str]) -> list[LogEvent]:
    """What a client or a turn may write next, sensible or not."""
    number = next(names)
    choices = (
        lambda: [user(f"u{number}", "words"), step(f"a{number}", text("an answer"), call(f"c{number}"))],
        lambda: [result(random.choice(known), f"c{random.randint(0, number)}", "Done.")],
        lambda: [step(random.choice(known), text("more"))],
        lambda: [rewind(random.choice([*known, "", "nobody"]))],
        lambda: [LogEvent("switch", "", {"branch": str(random.randint(0, number))})],
        lambda: [LogEvent("metadata", random.choice(known), {"model": "m", "steps": number})],
        lambda: [
            LogEvent("data", random.choice(known), {"part": {"type": "data-notice", "data": {"code": "x"}}})
        ],
    )
    events = random.choice(choices)()
    known += [event.message_id for event in events if event.kind in ("user", "step")]
    return events


@pytest.mark.slow
@cases(60)
@given(seed=st.integers(0, 2**32))
async def test_however_a_thread_grows_what_is_kept_is_what_a_fresh_reading_gives(
    database: Database, folder: Path, seed: int
) -> None:
    random, names = Random(seed), itertools.count(1)
    known = ["u0"]
    writers = [ThreadStore(database), ThreadStore(database)]
    thread_id = (await writers[0].create()).id
    await writers[0].append(thread_id, [user("u0", "begin")])
    handed_out: list[tuple[Any, Any]] = []
    for _ in range(random.randint(1, 14)):
        writer = random.choice(writers)
        if random.random() < 0.2:
            await writer.save_drafts(draft(thread_id, random.choice(known), [text("so far")]))
        else:
            await writer.append(thread_id, _some_events(random, names, known))
        if random.random() < 0.7:
            reader = random.choice(writers)
            thread = await reader.read(thread_id)
            assert shown(thread) == await read_anew(reader, thread_id)
            handed_out.append((thread.messages, copy.deepcopy(thread.messages)))
    for messages, as_they_were in handed_out:
        assert messages == as_they_were

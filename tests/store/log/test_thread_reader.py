from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.active_threads import ActiveThreads
from comfyui_assistant.engine.store.log.thread_reader import Thread, branch_tree, read_thread
from comfyui_assistant.engine.store.rows import require_thread
from comfyui_assistant.engine.store.threads import ThreadStore

from ..log_events import draft, rewind, step, text, user

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

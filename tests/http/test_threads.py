from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from ..running_assistant import RunningAssistant, running_assistant
from ..store.log_events import call, result, step, user
from ..talking import talking


async def test_another_branch_is_gone_on_with(assistant: RunningAssistant, thread: str) -> None:
    path = f"/assistant/threads/{thread}/branches"
    first, second = (await assistant.call("GET", path)).json["branches"]
    assert (first["isCurrent"], second["isCurrent"]) == (False, True)
    assert (second["forkMessageId"], second["firstMessageId"], second["preview"]) == ("u1", "a2", "yes")
    switched = (await assistant.call("POST", f"{path}/{first['id']}", {})).json
    assert [message["id"] for message in switched["messages"]] == ["u1", "a1"]
    assert switched["branchId"] == first["id"]
    assert switched == (await assistant.call("GET", f"/assistant/threads/{thread}")).json
    unknown = await assistant.call("POST", f"{path}/99", {})
    assert (unknown.status, unknown.error_code) == (404, "not_found")


async def test_a_thread_is_renamed_and_pinned(assistant: RunningAssistant, thread: str) -> None:
    path = f"/assistant/threads/{thread}"
    changed = await assistant.call("PATCH", path, {"title": " Red\nsky ", "pinned": True})
    assert changed.json == {"id": thread, "title": "Red sky", "pinned": True}
    (listed,) = (await assistant.call("GET", "/assistant/threads")).json["threads"]
    assert (listed["title"], listed["pinned"], listed["expiresAt"]) == ("Red sky", True, None)
    for body in ({}, {"title": " "}, {"title": 7}, {"pinned": 1}):
        refused = await assistant.call("PATCH", path, body)
        assert (refused.status, refused.error_code) == (400, "invalid_request"), body


async def test_the_newest_messages_are_read_alone(assistant: RunningAssistant, thread: str) -> None:
    path = f"/assistant/threads/{thread}"
    read = (await assistant.call("GET", f"{path}?tail=0001")).json
    assert (read["total"], [message["id"] for message in read["messages"]]) == (2, ["a2"])
    for tail in ("0", "-1", "1000001", "1e2", "000001999999999", "9" * 5_000):
        refused = await assistant.call("GET", f"{path}?tail={tail}")
        assert (refused.status, refused.error_code) == (400, "invalid_request"), tail


async def test_an_older_message_is_read_with_all_that_follow_and_a_few_before_it(
    assistant: RunningAssistant,
) -> None:
    store = assistant.assistant.storage.threads
    thread = (await store.create()).id
    for number in range(30):
        await store.append(thread, [user(f"m{number}", "hello")])

    async def read(query: str) -> list[str]:
        messages = (await assistant.call("GET", f"/assistant/threads/{thread}?{query}")).json["messages"]
        return [message["id"] for message in messages]

    assert await read("tail=3&from=m15") == [f"m{number}" for number in range(5, 30)]
    assert await read("tail=3&from=m2") == [f"m{number}" for number in range(30)]
    assert await read("tail=3&from=m28") == [f"m{number}" for number in range(18, 30)]
    assert await read("tail=25&from=m28") == [f"m{number}" for number in range(5, 30)]
    for nowhere in ("tail=3&from=of-another-branch", "tail=3&from="):
        assert await read(nowhere) == ["m27", "m28", "m29"]


async def test_what_could_not_be_read_of_a_thread_is_named(assistant: RunningAssistant, thread: str) -> None:
    damage = "UPDATE event SET payload = '{' WHERE message_id = 'a2'"
    await assistant.assistant.storage.database.run(lambda connection: connection.exec_driver_sql(damage))
    read = (await assistant.call("GET", f"/assistant/threads/{thread}")).json
    assert [entry["seq"] for entry in read["damaged"]] == [4]
    assert "no JSON" in read["damaged"][0]["reason"]


async def test_reading_the_list_writes_nothing(assistant: RunningAssistant, thread: str) -> None:
    await make_old(assistant)
    before = await assistant.assistant.storage.database.run(_threads_table)
    (listed,) = (await assistant.call("GET", "/assistant/threads")).json["threads"]
    assert (listed["id"], listed["expiresAt"]) == (thread, None)
    assert await assistant.assistant.storage.database.run(_threads_table) == before


async def test_the_list_shows_a_week_before_that_a_thread_will_be_removed(
    assistant: RunningAssistant, thread: str
) -> None:
    await make_old(assistant)
    await assistant.call("PUT", "/assistant/options", {"name": "retention_days", "value": 9})
    (listed,) = (await assistant.call("GET", "/assistant/threads")).json["threads"]
    assert listed["id"] == thread
    assert listed["expiresAt"] == pytest.approx(time.time() + 7 * 86_400, abs=60)


async def test_a_damaged_database_is_told_of_in_the_list(tmp_path: Path) -> None:
    (tmp_path / "assistant.sqlite3").write_text("somebody's notes", "utf-8")
    async with running_assistant(tmp_path, {}) as assistant:
        listed = (await assistant.call("GET", "/assistant/threads")).json
    assert listed["threads"] == []
    assert "assistant.sqlite3 was damaged" in listed["notice"]
    assert "The file as it was is kept as assistant.sqlite3.broken-" in listed["notice"]


async def test_a_thread_is_exported_as_a_file(assistant: RunningAssistant, thread: str) -> None:
    exported = await assistant.call("GET", f"/assistant/threads/{thread}/export")
    assert exported.headers["Content-Disposition"] == f'attachment; filename="{thread}.json"'
    assert [message["id"] for message in exported.json["messages"]] == ["u1", "a2"]


async def test_what_a_handle_names_is_read_back_whole(assistant: RunningAssistant, thread: str) -> None:
    events = [step("a2", call("c1")), result("a2", "c1", "Added node 1.")]
    await assistant.assistant.storage.threads.append(thread, events)
    path = f"/assistant/threads/{thread}/handles"
    assert (await assistant.call("GET", f"{path}/u1")).json == {"ref": "u1", "text": "Make the sky red"}
    assert "Added node 1." in (await assistant.call("GET", f"{path}/r1")).json["text"]
    unknown = await assistant.call("GET", f"{path}/r9")
    assert (unknown.status, unknown.error_code) == (404, "not_found")
    assert unknown.json["error"]["hint"] == "There are: r1 to r1, u1 to u1, a1 to a1."


async def make_old(assistant: RunningAssistant) -> None:
    """As if nobody had used any thread for decades."""
    statement = "UPDATE thread SET updated_at = 1"
    await assistant.assistant.storage.database.run(lambda connection: connection.exec_driver_sql(statement))


def _threads_table(connection: Any) -> list[Any]:
    return connection.exec_driver_sql("SELECT * FROM thread").all()


async def test_a_thread_knows_the_file_that_was_open_with_its_newest_message(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()

        async def workflow_after(message: str, **workflow: object) -> object:
            await assistant.say("hi", thread=thread, message_id=message, workflow={"name": "x", **workflow})
            [listed] = (await assistant.call("GET", "/assistant/threads")).json["threads"]
            return listed["workflow"]

        assert await workflow_after("u1") is None
        assert await workflow_after("u2", file="workflows/cat.json") == "workflows/cat.json"
        assert await workflow_after("u3", file="workflows/dog.json") == "workflows/dog.json"
        assert await workflow_after("u4") == "workflows/dog.json"
        assert await workflow_after("u5", file=7) == "workflows/dog.json"


async def test_a_renamed_workflow_keeps_its_chats(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread, other = await assistant.new_thread(), await assistant.new_thread()
        sky = {"name": "sky", "nodes": 3, "file": "workflows/sky.json"}
        await assistant.say("hello", thread=thread, message_id="u1", workflow=sky)
        renamed = {"from": "workflows/sky.json", "to": "workflows/sea.json"}
        answer = await assistant.call("POST", "/assistant/renamed-workflows", renamed)
        assert answer.json == {"chats": [thread]}
        listed = (await assistant.call("GET", "/assistant/threads")).json["threads"]
        assert {each["id"]: each["workflow"] for each in listed} == {thread: renamed["to"], other: None}
        refused = await assistant.call("POST", "/assistant/renamed-workflows", {"from": "a.json"})
        assert refused.json["error"]["code"] == "invalid_request"

from __future__ import annotations

import copy
import logging
from typing import Any

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import UNREADABLE, LogEvent, fold
from comfyui_assistant.engine.store.threads import ThreadStore

from ..log_events import call, result, rewind, step, text, user

START = {"type": "step-start"}
NOTICE = {"type": "data-notice", "data": {"code": "x"}}
OUTPUT = {"ok": True, "summary": "Added.", "data": {}}
ADDED = {**call("c1"), "state": "output-available", "output": OUTPUT}


def asked(message_id: str, words: str, **fields: Any) -> dict[str, Any]:
    return {"id": message_id, "role": "user", "parts": [{"type": "text", "text": words}], **fields}


def answered(message_id: str, *parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": message_id, "role": "assistant", "parts": list(parts), **fields}


@pytest.mark.parametrize(
    ("events", "conversation"),
    [
        pytest.param([], [], id="nothing was said"),
        pytest.param(
            [LogEvent("user", "u1", {**user("u1", "one").payload, "metadata": {"custom": {"a": 1}}})],
            [asked("u1", "one", metadata={"custom": {"a": 1}})],
            id="a question keeps its metadata",
        ),
        pytest.param(
            [user("u1", "one"), step("a1", call("c1")), result("a1", "c1", "Added."), step("a1", text("2"))],
            [asked("u1", "one"), answered("a1", START, ADDED, START, text("2"))],
            id="steps of one answer stand in one message, a result at its call",
        ),
        pytest.param(
            [step("a1", text("1")), step("a2", text("2"))],
            [answered("a1", START, text("1")), answered("a2", START, text("2"))],
            id="another answer is another message",
        ),
        pytest.param(
            [step("a1"), LogEvent("data", "a1", {"part": NOTICE}), LogEvent("metadata", "a1", {"steps": 1})],
            [answered("a1", START, NOTICE, metadata={"custom": {"steps": 1}})],
            id="a notice stands in the answer, and what is known of it beside",
        ),
        pytest.param(
            [step("a1", call("c1")), step("a2", call("c1")), result("a2", "c1", "Added.")],
            [answered("a1", START, call("c1")), answered("a2", START, ADDED)],
            id="of two calls of one name the newest is meant",
        ),
        pytest.param(
            [user("u1", "one"), step("a1", text("1")), rewind("u1"), step("a2", text("2"))],
            [asked("u1", "one"), answered("a2", START, text("2"))],
            id="going back leaves out what came after",
        ),
        pytest.param([user("u1", "one"), rewind("")], [], id="going back to the start"),
        pytest.param(
            [user("u1", "one"), rewind("nobody"), result("a1", "nothing", "Added.")],
            [asked("u1", "one")],
            id="what refers to what is not there is passed over",
        ),
        pytest.param(
            [user("u1", "one"), LogEvent("switch", "", {"branch": "0"})],
            [asked("u1", "one")],
            id="a switch says nothing within a branch",
        ),
    ],
)
def test_a_log_amounts_to_a_conversation(events: list[LogEvent], conversation: list[dict[str, Any]]) -> None:
    assert fold(events) == conversation


def test_folding_leaves_what_it_was_given_as_it_was() -> None:
    begun = fold([user("u1", "one"), step("a1", call("c1"))])
    as_it_was = copy.deepcopy(begun)
    events = [
        result("a1", "c1", "Added."),
        step("a1", text("done")),
        LogEvent("metadata", "a1", {"steps": 1}),
    ]
    payloads = copy.deepcopy(events)
    grown = fold([*events, user("u2", "two"), rewind("a1")], begun)
    assert grown[1]["parts"][1]["state"] == "output-available"
    assert (begun, events) == (as_it_was, payloads)
    assert grown[0] is begun[0]


@pytest.fixture
async def damaged_id(store: ThreadStore, thread_id: str) -> str:
    """Entries 1 to 6: a question, a call, its result, an answer; another question and its answer."""
    await store.append(thread_id, [user("u1", "one"), step("a1", call("c1")), result("a1", "c1", "Added.")])
    await store.append(thread_id, [step("a1", text("done")), user("u2", "two"), step("a2", text("2"))])
    return thread_id


async def damage(database: Database, seq: int, payload: str | bytes, *, kind: str | None = None) -> None:
    def work(connection):
        as_text = "CAST(? AS TEXT)"
        connection.exec_driver_sql(f"UPDATE event SET payload = {as_text} WHERE seq = ?", (payload, seq))
        if kind is not None:
            connection.exec_driver_sql("UPDATE event SET kind = ? WHERE seq = ?", (kind, seq))

    await database.run(work)


@pytest.mark.parametrize(
    ("seq", "payload", "reason"),
    [
        pytest.param(1, '{"parts":[{"type":"te', "no JSON", id="cut off"),
        pytest.param(1, "\0\0\0\0", "no JSON", id="overwritten with zeros"),
        pytest.param(1, "[1,2]", "JSON list", id="a list"),
        pytest.param(1, "{}", "no list of parts", id="without its parts"),
        pytest.param(1, '{"parts":[{"type":"text"}]}', "parts[0].text is nothing", id="a text without text"),
        pytest.param(2, '{"parts":"x"}', "no list of parts", id="a step without parts"),
        pytest.param(3, '{"state":"output-available"}', "which call", id="a result of no call"),
        pytest.param(3, '{"toolCallId":"c1","state":7}', "how its call ended", id="a result without its end"),
        pytest.param(4, "[" * 100_000, "no JSON", id="nested too deeply"),
    ],
)
async def test_one_damaged_entry_is_named_and_the_rest_is_read(
    store: ThreadStore, database: Database, damaged_id: str, seq: int, payload: str, reason: str
) -> None:
    await damage(database, seq, payload)
    thread = await store.read(damaged_id)
    assert [message["id"] for message in thread.messages] == ["u1", "a1", "u2", "a2"]
    assert thread.messages[2:] == [
        {"id": "u2", "role": "user", "parts": [{"type": "text", "text": "two"}]},
        {"id": "a2", "role": "assistant", "parts": [{"type": "step-start"}, text("2")]},
    ]
    assert [place for place, _ in thread.damage] == [seq]
    assert reason in thread.damage[0][1]


async def test_a_damaged_question_still_stands_in_its_place(
    store: ThreadStore, database: Database, damaged_id: str
) -> None:
    await damage(database, 5, "?")
    await store.append(damaged_id, [rewind("u2"), step("a3", text("again"))])
    messages = await store.messages(damaged_id)
    assert [message["id"] for message in messages] == ["u1", "a1", "u2", "a3"]
    assert messages[2]["parts"] == [{"type": "text", "text": UNREADABLE}]


async def test_the_sound_parts_of_a_damaged_message_are_kept(
    store: ThreadStore, database: Database, damaged_id: str
) -> None:
    await damage(database, 6, '{"parts":[{"type":"step-start"},{"type":7},{"type":"text","text":"2"}]}')
    thread = await store.read(damaged_id)
    assert thread.messages[-1]["parts"] == [{"type": "step-start"}, {"type": "text", "text": "2"}]
    assert thread.damage == [(6, "parts[1] is dict; expected an object with a type.")]


async def test_bytes_that_are_no_text_are_read_with_marks_in_them(
    store: ThreadStore, database: Database, damaged_id: str
) -> None:
    await damage(database, 1, b'{"parts":[{"type":"text","text":"o\xff\xfee"}]}')
    assert (await store.read(damaged_id)).messages[0]["parts"][0]["text"] == "o\ufffd\ufffde"


async def test_an_entry_of_a_newer_version_is_left_out_and_named(
    store: ThreadStore, database: Database, damaged_id: str
) -> None:
    await damage(database, 4, "{}", kind="vision")
    thread = await store.read(damaged_id)
    assert [message["id"] for message in thread.messages] == ["u1", "a1", "u2", "a2"]
    assert "vision" in thread.damage[0][1]


@pytest.mark.parametrize("kind", ["use2", "User", "u{er", "\ufffdser"])
async def test_an_entry_of_whose_kind_one_letter_is_damaged_is_read_as_before(
    store: ThreadStore, database: Database, damaged_id: str, kind: str
) -> None:
    before = await store.read(damaged_id)
    await damage(database, 5, '{"parts":[{"type":"text","text":"two"}]}', kind=kind)
    assert (await store.read(damaged_id)).messages == before.messages


async def test_a_switch_to_a_branch_that_is_not_there_changes_nothing(
    store: ThreadStore, database: Database, damaged_id: str
) -> None:
    await damage(database, 4, '{"branch":"99"}', kind="switch")
    thread = await store.read(damaged_id)
    assert (thread.branch_id, len(thread.messages)) == ("0", 4)
    assert [seq for seq, _ in thread.damage] == [4]


async def test_damage_is_logged_once(
    store: ThreadStore, database: Database, damaged_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    await damage(database, 2, "?")
    with caplog.at_level(logging.WARNING):
        await store.read(damaged_id)
        await store.read(damaged_id)
    assert [damaged_id in record.getMessage() for record in caplog.records] == [True]

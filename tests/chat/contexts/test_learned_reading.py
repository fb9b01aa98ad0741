from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.chat.contexts.learned_reading import LearnedReading, edits_unread
from comfyui_assistant.engine.context.rendering import WORKFLOW
from comfyui_assistant.engine.store.database import Database

from ...context.conversations import answer, call, user

UNKNOWN = {"ok": False, "error": "There is no node 4.", "unknownName": True}
OTHER = {"ok": False, "error": "Too much."}


def guessed(**fields: Any) -> Any:
    return call("c1", UNKNOWN, name="setNodeWidgetValue", **fields)


def read() -> Any:
    return call("c0", name="getWorkflowInfo")


@pytest.mark.parametrize(
    ("conversation", "expected"),
    [
        pytest.param([user("u1"), answer("a1", [guessed()])], True, id="at once"),
        pytest.param([user("u1")], False, id="no call yet"),
        pytest.param([user("u1"), answer("a1", [call("c1", OTHER)])], False, id="another failure"),
        pytest.param([user("u1"), answer("a1", [read()], [guessed()])], False, id="after a reading"),
        pytest.param(
            [user("u1"), answer("a1", [read()]), user("u2"), answer("a2", [guessed()])],
            False,
            id="a reading of an earlier turn",
        ),
        pytest.param(
            [{**user("u1"), "metadata": {WORKFLOW: "3 KSampler"}}, answer("a1", [guessed()])],
            False,
            id="the message brought it along",
        ),
    ],
)
def test_a_model_that_names_what_it_was_not_shown_does_not_read_first(
    conversation: Any, expected: bool
) -> None:
    assert edits_unread(conversation) is expected


async def test_it_is_kept_for_each_model_and_forgotten(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    learned = LearnedReading(database, clock=lambda: 1_000.0)
    assert await learned.reads_first("http://one/v1", "a")
    await learned.keep("http://one/v1", "a")
    assert not await learned.reads_first("http://one/v1", "a")
    assert await learned.reads_first("http://one/v1", "b")
    note = await learned.note("http://one/v1", "a")
    assert note is not None
    assert note.learned_at == 1_000.0
    await learned.forget("http://one/v1", "a")
    assert await learned.reads_first("http://one/v1", "a")
    assert await learned.note("http://one/v1", "a") is None
    database.close()

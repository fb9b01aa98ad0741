from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.rows import (
    batches,
    pack,
    read_json,
    require_thread,
    stored_json,
    stored_text,
    unpack,
)


async def test_the_row_of_a_thread_is_given_and_a_missing_one_named(
    database: Database, thread_id: str
) -> None:
    assert (await database.run(require_thread, thread_id)).id == thread_id
    with pytest.raises(RequestError) as caught:
        await database.run(require_thread, "thread_gone")
    assert (caught.value.code, caught.value.status) == ("unknown_thread", 404)


def test_values_come_in_batches_that_a_statement_may_bind() -> None:
    assert [len(batch) for batch in batches(range(1_001))] == [500, 500, 1]


@pytest.mark.parametrize("value", [{"a": [1, None, "é"]}, "\0", [], 1.5])
def test_json_is_read_back_as_it_was_stored(value: Any) -> None:
    text = stored_json(value)
    assert read_json(text, None) == read_json(unpack(pack(text)), None) == value


def test_half_a_character_in_json_is_stored_as_an_escape() -> None:
    assert stored_json(["\ud83d"]) == '["\\ud83d"]'


@pytest.mark.parametrize("text", [None, "", "{", "[" * 100_000])
def test_where_json_is_damaged_the_other_value_stands(text: str | None) -> None:
    assert read_json(text, "other") == "other"


@pytest.mark.parametrize("data", [None, b"", b"not packed", pack('"text"')[:-1]])
def test_what_is_damaged_is_not_unpacked(data: bytes | None) -> None:
    assert unpack(data) is None


def test_text_is_stored_without_what_a_database_refuses() -> None:
    assert stored_text("a\ud83db\0c") == "a?b\ufffdc"

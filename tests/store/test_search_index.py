from __future__ import annotations

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.search_index import (
    Index,
    delete_from_index,
    index_kind,
    index_message,
    search_statements,
)
from comfyui_assistant.engine.store.threads import ThreadStore
from sqlalchemy import Connection

from .log_events import user
from .older_sqlite import search_by


def indexed(connection: Connection) -> list[tuple[int, str]]:
    rows = connection.exec_driver_sql("SELECT rowid, content FROM message_search ORDER BY rowid")
    return [(seq, content) for seq, content in rows]


@pytest.mark.parametrize("index", ["trigram", "words", "none"])
async def test_a_database_tells_which_index_it_has(database: Database, index: Index) -> None:
    await database.run(search_by, index)
    assert await database.run(index_kind) == index


@pytest.mark.parametrize("index", ["trigram", "words"])
async def test_a_message_that_grows_is_indexed_once(database: Database, index: Index) -> None:
    await database.run(search_by, index)
    await database.run(index_message, 7, "a red sky", index=index)
    await database.run(index_message, 8, "a blue sky", index=index)
    await database.run(index_message, 7, "a red sky and more", index=index, is_new=False)
    assert await database.run(indexed) == [(7, "a red sky and more"), (8, "a blue sky")]


@pytest.mark.parametrize("index", ["none", "postgresql"])
async def test_without_a_table_of_its_own_nothing_is_indexed(database: Database, index: Index) -> None:
    await database.run(index_message, 7, "a red sky", index=index)
    assert await database.run(indexed) == []


async def test_one_thread_is_forgotten_and_the_others_stay(store: ThreadStore, database: Database) -> None:
    first, second = (await store.create()).id, (await store.create()).id
    await store.append(first, [user("u1", "a red sky"), user("u2", "a red car")])
    await store.append(second, [user("v1", "a blue sky")])
    await database.run(delete_from_index, first)
    assert await database.run(indexed) == [(3, "a blue sky")]


async def test_without_an_index_there_is_nothing_to_forget(database: Database, thread_id: str) -> None:
    await database.run(search_by, "none")
    await database.run(delete_from_index, thread_id)


MESSAGES = ("A KSampler and a red sky", "a red car of 100%", "赤い空を", "the sampler")


@pytest.mark.parametrize(
    ("index", "terms", "numbers"),
    [
        pytest.param("trigram", ["red", "sky"], [[1], [2, 1], [2, 1]], id="trigrams: all words, then any"),
        pytest.param("trigram", ["sampler"], [[4, 1], [4, 1], [4, 1]], id="trigrams: within a word"),
        pytest.param("trigram", ["red", "of"], [[2], [2, 1], [2, 1]], id="trigrams: a short word beside"),
        pytest.param("trigram", ["空を"], [[3], [3]], id="trigrams: too short, so without the index"),
        pytest.param("words", ["sampler"], [[4], [4], [4, 1]], id="words: a part of one without the index"),
        pytest.param("words", ["samp"], [[4], [4], [4, 1]], id="words: the beginning of one"),
        pytest.param("words", ["red", "100%"], [[2], [2, 1], [2, 1]], id="words: a mark is no word"),
        pytest.param("words", ["い空"], [[3], [3]], id="words: Chinese ones without the index"),
        pytest.param("none", ["red", "sky"], [[1], [2, 1]], id="without an index"),
        pytest.param("none", ["_"], [[], []], id="a mark is searched as it is written"),
    ],
)
async def test_each_statement_finds_more_than_the_one_before_it(
    store: ThreadStore,
    database: Database,
    thread_id: str,
    index: Index,
    terms: list[str],
    numbers: list[list[int]],
) -> None:
    await database.run(search_by, index)
    await store.append(thread_id, [user(f"u{number}", words) for number, words in enumerate(MESSAGES, 1)])
    statements = search_statements(terms, index=index, thread_id=thread_id, limit=10)
    results = await database.run(
        lambda connection: [[row.seq for row in connection.execute(statement)] for statement in statements]
    )
    assert [sorted(result, reverse=True) for result in results] == numbers


def compiled(index: Index, query: str) -> list[str]:
    from sqlalchemy.dialects import postgresql

    statements = search_statements(query.split(), index=index, thread_id="thread_1", limit=20)
    return [
        " ".join(str(statement.compile(dialect=postgresql.dialect())).split()) for statement in statements
    ]


def test_postgresql_searches_words_by_its_own_index_and_then_parts_of_words() -> None:
    words, all_parts, any_part = compiled("postgresql", "red sky")
    assert "to_tsvector('simple', left(message.content, 200000)) @@ plainto_tsquery('simple'," in words
    assert "ORDER BY ts_rank(" in words
    assert all_parts.count("message.content ILIKE") == 2
    assert " OR message.content ILIKE" in any_part
    for statement in (words, all_parts, any_part):
        assert "message.thread_id =" in statement
        assert "LIMIT" in statement

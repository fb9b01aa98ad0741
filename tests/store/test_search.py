from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.message_rows import Index
from comfyui_assistant.engine.store.search import ThreadSearch, search_statements
from comfyui_assistant.engine.store.threads import ThreadStore
from hypothesis import given
from hypothesis import strategies as st

from ..cases import cases
from .log_events import call, result, rewind, step, user
from .older_sqlite import search_by


@pytest.fixture(params=["trigram", "words", "none"])
async def threads(request: pytest.FixtureRequest, database: Database) -> ThreadSearch:
    """The search on the SQLite of today, on one without trigrams, and on one without FTS5."""

    await database.run(search_by, request.param)
    return ThreadSearch(database)


async def found(threads: ThreadSearch, query: str, **options: Any) -> list[str]:
    return [hit.message_id for hit in await threads.search(query, **options)]


async def test_all_threads_and_branches_are_searched(threads: ThreadSearch, store: ThreadStore) -> None:
    first, second = (await store.create()).id, (await store.create()).id
    await store.append(first, [user("u1", "Make the sky red"), step("a1", call("c1"))])
    await store.append(first, [result("a1", "c1", "Added KSampler as node 3.")])
    await store.append(first, [rewind(""), user("u2", "Make the sea blue")])
    await store.append(second, [user("v1", "A RED herring")])
    assert set(await found(threads, "red")) == {"u1", "v1"}
    assert await found(threads, "ksampler node") == ["a1"]
    assert await found(threads, "red", thread_id=second) == ["v1"]
    (hit,) = await threads.search("sky")
    assert (hit.thread_id, hit.thread_title, hit.role) == (first, "Make the sky red", "user")
    assert hit.excerpt == "Make the sky red"


async def test_all_words_are_better_than_one_and_one_is_better_than_nothing(
    threads: ThreadSearch, store: ThreadStore, thread_id: str
) -> None:
    await store.append(
        thread_id, [user("u1", "a red sky"), user("u2", "a red car"), user("u3", "a blue sky")]
    )
    assert await found(threads, "red sky") == ["u1"]
    assert set(await found(threads, "blue car")) == {"u2", "u3"}
    assert await found(threads, "violet") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "query", ["samp", "SAMPLER", "空", "赤い空", "い空", "ü", "grün", "Ü", "GRÜN", "🎉", "3", "100%"]
)
async def test_parts_of_words_in_any_language_are_found(
    threads: ThreadSearch, store: ThreadStore, thread_id: str, query: str
) -> None:
    await store.append(
        thread_id, [user("u0", "nothing of it"), user("u1", "A KSampler, 赤い空を grün 🎉 3 100%")]
    )
    await store.append(thread_id, [user("u2", "nothing of it here, 1009")])
    assert (await found(threads, query))[:1] == ["u1"]


async def test_what_is_marks_to_others_is_text_to_us(
    threads: ThreadSearch, store: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "a plain sentence")])
    for query in ("%", "_", "___", "%%%", '"', "'", "*", "NEAR(", "content:", "^", "-", "a AND"):
        hits = await found(threads, query)
        assert hits in ([], ["u1"]), query
        assert hits == [] or query == "a AND"


async def test_the_excerpt_is_the_neighbourhood_of_the_word(
    threads: ThreadSearch, store: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "before " * 500 + "the needle\n  lies here" + " after" * 500)])
    (hit,) = await threads.search("needle")
    assert hit.excerpt.startswith("…")
    assert "the needle lies here after" in hit.excerpt
    assert hit.excerpt.endswith("…")
    assert len(hit.excerpt) < 220


async def test_a_deleted_thread_is_found_no_more(
    threads: ThreadSearch, store: ThreadStore, database: Database, thread_id: str
) -> None:
    other = (await store.create()).id
    await store.append(thread_id, [user("u1", "Make the sky red")])
    await store.append(other, [user("u1", "Make the sky blue")])
    await store.delete(thread_id)
    assert [hit.thread_id for hit in await threads.search("sky")] == [other]


async def test_only_so_many_are_shown_the_newest_of_equals_first(
    threads: ThreadSearch, store: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user(f"u{number}", "red sky") for number in range(30)])
    assert await found(threads, "red", limit=2) == ["u29", "u28"]
    assert len(await found(threads, "red", limit=10_000)) == 30


@pytest.mark.slow
@cases(150)
@given(query=st.text(max_size=40))
async def test_any_text_is_a_query(threads: ThreadSearch, query: str) -> None:
    assert isinstance(await threads.search(query), list)


@pytest.mark.parametrize(
    "query", ["a" * 1_000_000, "half \ud83c of a character", "nul \0", " \n ", "a " * 10_000]
)
async def test_a_strange_query_finds_nothing_and_fails_nowhere(threads: ThreadSearch, query: str) -> None:
    assert await threads.search(query) == []


async def test_a_message_of_a_million_characters_is_found_by_its_end(
    threads: ThreadSearch, store: ThreadStore, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "lorem ipsum " * 83_000 + "needle")])
    assert await found(threads, "needle") == ["u1"]


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

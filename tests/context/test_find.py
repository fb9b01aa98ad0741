from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.find import Hit, excerpt, find_in_conversation
from comfyui_assistant.engine.context.handles import read_back
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import grows_in_proportion

from .conversations import answer, call, file, text, user

NOTES = file("notes.txt", "text/plain", "data:text/plain,Lighthouse%20palette")
NOTES["providerMetadata"] = {"comfyuiAssistant": {"document": 1}}
CONVERSATION = [
    user("m1", "Paint a lighthouse at dusk.", NOTES),
    answer(
        "m2",
        [call("c1", {"ok": True, "summary": "Added KSampler as node 4."}, name="addNode")],
        [text("The lighthouse is there, at dusk.")],
    ),
    user("m3", "Take seed 7 for the dusk."),
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param("palette", [("d1", "attached document")], id="a document"),
        pytest.param("ksampler", [("r1", "result of addNode")], id="a result, whatever the case"),
        pytest.param("7", [("u2", "user message")], id="a single digit"),
        pytest.param(
            "dusk lighthouse",
            [
                ("a1", "answer"),
                ("u1", "user message"),
                ("u2", "user message"),
                ("d1", "attached document"),
            ],
            id="most words first, then the newest",
        ),
        pytest.param(
            "node added 4 seed",
            [("r1", "result of addNode"), ("u2", "user message")],
            id="a result that holds most, where what was said holds little",
        ),
        pytest.param(
            "added dusk",
            [("u2", "user message"), ("a1", "answer"), ("u1", "user message"), ("r1", "result of addNode")],
            id="what was said before results",
        ),
        pytest.param("submarine", [], id="nothing"),
        pytest.param("?! a", [], id="no word at all"),
    ],
)
def test_the_texts_that_hold_most_of_the_words_are_found(query: str, found: Any) -> None:
    assert [(each.ref, each.kind) for each in find_in_conversation(CONVERSATION, query).hits] == found


def test_no_more_are_shown_than_asked_for_and_all_are_counted() -> None:
    found = find_in_conversation(CONVERSATION, "dusk lighthouse", limit=2)
    assert [each.ref for each in found.hits] == ["a1", "u1"]
    assert found.total == len(find_in_conversation(CONVERSATION, "dusk lighthouse", limit=100).hits) > 2


def test_an_excerpt_shows_where_most_of_the_words_stand_together() -> None:
    far = "word " * 200
    said = f"The hires pass comes later. {far}The hires pass stays at denoise 0.35. {far}More of denoise."
    [found] = find_in_conversation([user("m1", said)], "denoise hires").hits
    assert "The hires pass stays at denoise 0.35." in found.excerpt


def test_an_excerpt_shows_the_place_behind_letters_that_grow_when_they_are_lowered() -> None:
    [found] = find_in_conversation([user("m1", "İ" * 2_000 + " the seed " + "x" * 2_000)], "seed").hits
    assert "the seed" in found.excerpt


@pytest.mark.parametrize(
    ("position", "shown"),
    [
        pytest.param(0, "one two thre …", id="the beginning"),
        pytest.param(9, "… wo three fo …", id="the midst"),
        pytest.param(21, "… ur five", id="the end"),
    ],
)
def test_an_excerpt_says_what_was_left_out_around_it(position: int, shown: str) -> None:
    assert excerpt("one two\nthree  four five", position, length=12) == shown


def test_a_short_text_is_its_own_excerpt() -> None:
    assert find_in_conversation([user("m1", " One\n\ntwo. ")], "two").hits == [
        Hit("u1", "user message", "One two.")
    ]


texts = st.text("ab 1", min_size=1, max_size=6)
answers = st.lists(st.lists(st.one_of(texts.map(text), st.just(call("c"))), max_size=3), max_size=3)
messages = st.one_of(texts.map(lambda said: user("u", said)), answers.map(lambda steps: answer("a", *steps)))


@given(st.lists(messages, max_size=6), texts)
def test_each_handle_that_is_found_reads_back_a_text_with_a_word_of_the_query(
    conversation: Any, query: str
) -> None:
    for found in find_in_conversation(conversation, query).hits:
        whole = f"{read_back(conversation, found.ref)}"
        assert any(word in whole for word in query.split())


def test_a_long_conversation_with_many_places_is_searched_in_a_moment() -> None:
    def search(size: int) -> None:
        conversation = [user(f"m{number}", "red sky in the deep " * size) for number in range(5)]
        assert find_in_conversation(conversation, "red sky in the deep blue", limit=8).total == 5

    assert grows_in_proportion(search, 1_250)

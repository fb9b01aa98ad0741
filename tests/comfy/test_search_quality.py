from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.search import NodeIndex

from bench.node_queries import missed, recorded_queries


@pytest.fixture(scope="module")
def index(all_core_nodes):
    return NodeIndex.build(all_core_nodes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("development", 0.9),
        ("held-out", 0.9),
        ("unseen", 0.8),
        ("development-typos", 0.8),
        ("held-out-typos", 0.8),
    ],
)
def test_an_answer_is_among_the_first_three(index, name, share):
    queries = recorded_queries(name)
    wrong = missed(queries, lambda query: [definition.type for definition in index.search(query)])

    assert len(wrong) <= (1 - share) * len(queries), wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "share"), [("newest-development", 0.9), ("newest-held-out", 0.95), ("newest-unseen", 0.85)]
)
def test_an_answer_is_among_the_first_three_of_newer_types(newest_nodes, name, share):
    index = NodeIndex.build(newest_nodes)
    queries = recorded_queries(name)
    wrong = missed(queries, lambda query: [definition.type for definition in index.search(query)])

    assert len(wrong) <= (1 - share) * len(queries), wrong


def test_the_queries_for_newer_types_ask_for_types_that_are_recorded(newest_nodes):
    known = {definition.type for definition in newest_nodes}
    asked = [
        pair for name in ("development", "held-out", "unseen") for pair in recorded_queries(f"newest-{name}")
    ]

    assert len(recorded_queries("newest-held-out")) >= 60
    assert frozenset().union(*(accepted for _, accepted in asked)) <= known


def test_the_queries_ask_for_types_that_are_recorded(all_core_nodes):
    known = {definition.type for definition in all_core_nodes}
    asked = [pair for name in ("development", "held-out", "unseen") for pair in recorded_queries(name)]

    assert len(asked) >= 120
    assert frozenset().union(*(accepted for _, accepted in asked)) <= known


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("upscale without a model", "ImageScale"),
        ("load image no mask", "LoadImage"),
        ("get width of image", "GetImageSize"),
        ("wan s2v", "WanSoundImageToVideoExtend"),
        ("canny edge", "Canny"),
    ],
)
def test_the_words_of_a_query_count_for_what_they_say(index, query, first):
    assert index.search(query)[0].type == first


def test_what_matches_one_weak_word_is_left_out(index):
    assert [definition.type for definition in index.search("canny edge")] == ["Canny"]
    assert {definition.type for definition in index.search("wan s2v")} == {
        "WanSoundImageToVideo",
        "WanSoundImageToVideoExtend",
    }


@pytest.mark.parametrize(
    ("query", "unnamed"),
    [
        ("canny edge", ("canny",)),
        ("face restore detailer", ("face", "restore", "detailer")),
        ("load lora", ()),
    ],
)
def test_a_word_that_no_name_has_is_told_where_no_match_is_sure(all_core_nodes, query, unnamed):
    index = NodeIndex.build([definition for definition in all_core_nodes if definition.type != "Canny"])
    assert index.find(query).unnamed == unnamed


def test_what_a_query_asks_for_is_searched_among_the_types_that_fit(index):
    found = index.find("canny edge", fits=lambda definition: definition.type != "Canny")
    assert "Canny" not in [definition.type for definition in found.definitions]
    assert found.definitions


def test_a_type_may_have_a_colon_in_its_name():
    queries = dict(recorded_queries("packages-unseen"))
    assert "easy XYInputs: CFG Scale" in queries["try different steps and cfg in one grid"]

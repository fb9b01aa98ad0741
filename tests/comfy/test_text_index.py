from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from comfyui_assistant.engine.comfy.text_index import TextIndex

TEXTS = [
    ("LoadImage", "reads a picture from the input folder"),
    ("SaveImage", "writes a picture to the output folder"),
    ("UpscaleModel", "makes it larger with a model"),
    ("ImageToVideo", "animates"),
]


@pytest.fixture(scope="module")
def index():
    return TextIndex.build(TEXTS, weights=(5, 1))


def ranked(index, query):
    scores = index.find(query).scores
    return sorted(scores, key=lambda number: -scores[number])


@pytest.mark.parametrize(
    ("query", "entries"),
    [
        pytest.param("SaveImage", [1], id="the whole name"),
        pytest.param("output", [1], id="a word of a sentence"),
        pytest.param("upsc", [2], id="how a word begins"),
        pytest.param("folders", [0, 1], id="another form of a word"),
        pytest.param("enlarge", [2], id="a word of the same meaning"),
        pytest.param("upscael", [2], id="a word that is misspelled"),
        pytest.param("xyzzy", [], id="a word of nothing"),
        pytest.param("", [], id="no word"),
        pytest.param("\"') OR * NEAR(", [], id="signs of a query language"),
    ],
)
def test_entries_are_found_by(index, query, entries):
    assert ranked(index, query) == entries


def test_an_entry_with_every_word_comes_first(index):
    assert ranked(index, "picture output")[0] == 1
    assert ranked(index, "photo to clip")[0] == 3


def test_a_word_that_only_shares_its_stem_comes_behind_the_word_in_any_form():
    index = TextIndex.build([("Anima", "anime"), ("Wan", "animating a still")], weights=(5, 1))
    assert ranked(index, "animate") == [1, 0]
    assert ranked(index, "anime") == [0, 1]
    assert ranked(TextIndex.build([("Anime", "anime")], weights=(5, 1)), "animation") == [0]


def test_words_of_the_same_meaning_do_not_outweigh_the_word_by_their_number():
    others = [("a video", "of this")] * 9
    index = TextIndex.build([("text to video", ""), ("text", "movie clip film"), *others], weights=(5, 5))
    assert ranked(index, "text to video")[0] == 0


def test_a_heavier_text_counts_more():
    index = TextIndex.build([("a", "red"), ("red", "a")], weights=(5, 1))
    assert ranked(index, "red") == [1, 0]


def test_what_was_meant_is_told_mended_and_with_other_words_for_it(index):
    assert {"upscale", "enlarge"} <= index.find("upscael").meanings
    assert "xyzzy" not in index.find("upscale").meanings


def test_building_rests_after_each_entry():
    rests = []
    TextIndex.build(TEXTS, weights=(1, 1), yield_gil=lambda: rests.append(1))
    assert len(rests) >= len(TEXTS)


def test_several_threads_search_at_once(index):
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: ranked(index, "picture"), range(40)))
    assert found == [found[0]] * 40

from __future__ import annotations

from itertools import pairwise

from comfyui_assistant.engine.user.project.passages import (
    PASSAGE,
    PassageIndex,
    nearest_passage,
    split_passages,
)
from hypothesis import given
from hypothesis import strategies as st

BOOK = (
    "# Light\n\nGolden hour is warm and low.\n\n"
    + "Nothing to see in this paragraph, it only fills the page. " * 60
    + "\n\n# Lenses\n\nA wide lens bends the lighthouse.\n\n[Page 7]\nPortraits want 85 mm.\n"
)


@given(st.text(alphabet="ab .\n#é", max_size=4_000), st.integers(1, 4))
def test_passages_hold_all_that_is_no_space_in_order_and_none_is_long(text: str, times: int) -> None:
    text *= times
    found = split_passages(text)
    assert all(0 < each.end - each.start <= PASSAGE for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    kept = "".join(text[each.start : each.end] for each in found)
    assert "".join(kept.split()) == "".join(text.split())


def test_a_passage_knows_the_heading_or_page_that_it_stands_under() -> None:
    places = {BOOK[each.start : each.end].split()[-1]: each.place for each in split_passages(BOOK)}
    assert places["lighthouse."] == "Lenses"
    assert places["mm."] == "Page 7"
    assert split_passages(BOOK)[0].place == "Light"


def test_places_are_found_by_their_words_in_any_form_the_best_first() -> None:
    index = PassageIndex()
    (version, passage), *_ = index.search({"a": BOOK, "b": "A lens cap."}, "which LENSES bend a light-house?")
    assert version == "a"
    assert "bends the lighthouse" in BOOK[passage.start : passage.end]
    assert index.search({"c": "A lens bends."}, "lenses")
    assert index.search({"d": "It bends."}, "bending lenses")
    assert index.search({"a": BOOK}, "??") == []
    assert index.search({"a": BOOK}, "submarine") == []
    assert index.search({"a": BOOK}, '"quoted" AND NOT (lens*) NEAR') != []


def test_texts_that_were_not_asked_for_are_not_searched() -> None:
    index = PassageIndex()
    index.search({"mine": "my lens"}, "lens")
    assert index.search({"yours": "your lens"}, "lens")[0][0] == "yours"
    for number in range(200):
        index.search({str(number): f"text {number}"}, "text")
    assert len(index.search({"7": "text 7"}, "text")) == 1


def test_words_are_found_where_no_spaces_stand_between_them() -> None:
    (found,) = PassageIndex().search({"a": "黄金時間の光は暖かい。"}, "時間")
    assert found[0] == "a"


def test_the_passage_that_a_sentence_was_taken_from_is_the_one_with_its_rare_words() -> None:
    found = nearest_passage(BOOK, "The page says: a wide lens will bend a lighthouse [1].")
    assert found is not None
    assert "lighthouse" in BOOK[found.start : found.end]
    assert nearest_passage(BOOK, "submarine") is None
    assert nearest_passage("", "light") is None

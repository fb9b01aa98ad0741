from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.spelling import Spelling, similarity
from hypothesis import given
from hypothesis import strategies as st

SPELLING = Spelling.build(["checkpoint", "sampler", "samplers", "image", "mask", "vae"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        pytest.param("chekpoint", ["checkpoint"], id="a letter left out"),
        pytest.param("imgae", ["image"], id="two letters exchanged"),
        pytest.param("samplr", ["sampler", "samplers"], id="the closest first"),
        pytest.param("chceckpoints", ["checkpoint"], id="two mistakes in a long word"),
        pytest.param("mast", ["mask"], id="one mistake in a short word"),
        pytest.param("vea", [], id="too short to guess"),
        pytest.param("elephant", [], id="nothing like it"),
    ],
)
def test_a_mistyped_word_is_read_as_those_that_it_is_most_like(typed, meant):
    assert list(SPELLING.closest(typed)) == meant


def test_swapped_neighbours_count_as_one_mistake():
    assert similarity("vidoe", "video") == similarity("vide", "video") == 0.8


@given(st.text(max_size=20), st.text(max_size=20))
def test_similarity_is_the_same_both_ways_and_full_only_for_equal_words(first, second):
    assert similarity(first, second) == similarity(second, first)
    assert 0 <= similarity(first, second) <= 1
    assert (similarity(first, second) == 1) == (first == second)

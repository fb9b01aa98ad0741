from __future__ import annotations

import json
import math
from typing import Any

import pytest
from comfyui_assistant.engine.base.text.json_safe import portable, portable_json, strict_json
from hypothesis import given
from hypothesis import strategies as st

texts = st.text(st.characters() | st.sampled_from("\ud83d\ude00"), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def test_texts_and_names_are_whole_and_numbers_finite() -> None:
    value: Any = {"\ud83d": ["\ud83d\ude00", 1, None, {"deep": (math.nan, "\ude00", -math.inf, 1.5)}]}
    assert portable(value) == {"\ufffd": ["😀", 1, None, {"deep": [None, "\ufffd", None, 1.5]}]}


@pytest.mark.slow
@given(values)
def test_whatever_was_written_is_read_as_what_every_reader_takes(value: Any) -> None:
    read = portable_json(json.dumps(value))
    assert read == portable(value)
    strict_json(json.dumps(read, ensure_ascii=False, allow_nan=False).encode().decode())


@pytest.mark.parametrize("number", ["1e999", "-1E+999", "9" * 309 + ".5", "NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_not_finite_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match="number"):
        strict_json(f'{{"a":[{number},2]}}')


def test_numbers_at_the_edge_are_kept() -> None:
    text = '{"a":[1e308,5e-324,1e-999,0.1,12345678901234567890]}'
    assert strict_json(text) == portable_json(text) == json.loads(text)

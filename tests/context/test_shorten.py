from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.context.shorten import head_and_tail, shares, shorten_result
from hypothesis import given
from hypothesis import strategies as st


def marker(what: str) -> str:
    return f"… [{what} left out]"


def shortened(value: Any, limit: int = 200) -> Any:
    return json.loads(shorten_result(value, limit, marker))


def test_what_is_short_enough_stays() -> None:
    assert shortened({"ok": True, "data": [1, 2, 3]}) == {"ok": True, "data": [1, 2, 3]}


def test_of_a_list_the_first_entries_stay_whole() -> None:
    data = [{"name": f"model-{number:02}.safetensors"} for number in range(40)]
    shown = shortened({"ok": True, "summary": "40 models.", "data": data})
    assert shown["summary"] == "40 models."
    assert shown["data"] == [*data[:4], "… [36 of 40 left out]"]


def test_nothing_is_left_out_for_words_that_are_longer() -> None:
    values = {name: f"number 0..10000 step 1 default {name}" for name in ("steps", "cfg", "denoise", "seed")}
    shown = shorten_result(
        {"ok": True, "inputs": values, "note": "word " * 60},
        300,
        lambda what: f"… [{what} {'left out ' * 6}]",
    )
    assert json.loads(shown)["inputs"] == values


def test_of_a_text_whole_lines_stay_from_both_ends() -> None:
    lines = [f"{number} KSampler steps=20" for number in range(100)]
    shown = shortened({"ok": True, "data": {"text": "\n".join(lines)}})["data"]["text"].split("\n")
    assert shown == [*lines[:4], "… [94 of 100 lines left out]", *lines[-2:]]


def test_of_a_mapping_of_many_names_the_first_stay() -> None:
    names = {f"node-{number:02}": "KSampler" for number in range(50)}
    shown = shortened(names)
    assert shown == {**dict([*names.items()][: len(shown) - 1]), "…": "… [42 of 50 left out]"}


def test_a_single_entry_that_is_too_long_is_shortened_itself() -> None:
    shown = shortened([{"name": "a", "lines": "\n".join(["word"] * 300)}, {"name": "b"}])
    assert shown[0]["name"] == "a"
    assert "lines left out]" in shown[0]["lines"]
    assert shown[1] == "… [1 of 2 left out]"


def test_only_a_line_that_is_longer_than_all_the_room_is_cut_within() -> None:
    assert len(shorten_result("x" * 9_000, 300, marker)) <= 300
    assert "characters left out]" in shorten_result("x" * 9_000, 300, marker)


texts = st.builds(lambda line, count: f"{line}\n" * count, st.text(max_size=9), st.integers(0, 90))
values = st.recursive(
    st.none() | st.integers(-5, 10**9) | st.text(max_size=80) | texts,
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=6), inner, max_size=24),
    max_leaves=60,
)


@pytest.mark.slow
@given(values, st.integers(120, 2_000))
def test_no_value_is_left_much_longer_than_its_limit(value: Any, limit: int) -> None:
    assert len(shorten_result(value, limit, marker)) <= limit + 160


def test_the_head_and_the_tail_of_a_text_stay():
    lines = "\n".join(f"line {number}" for number in range(200))
    cut = head_and_tail(lines, 400, "[{missing} left out]\n")
    assert cut.startswith("line 0\n")
    assert cut.endswith("line 199")
    assert "left out" in cut
    assert len(cut) < 440


def test_what_is_short_is_not_cut_while_something_longer_can_be():
    assert shares([10, 500, 40, 500], 250) == [10, 100, 40, 100]
    assert shares([10, 20], 1_000) == [10, 20]

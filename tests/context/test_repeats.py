from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.repeats import (
    call_key,
    calls_of_turn,
    cycles,
    part_key,
    repeat_note,
    repetitions,
)

from .conversations import answer, call, user


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("aaa", 3),
        ("ab", 1),
        ("abab", 2),
        ("xababab", 3),
        ("aab", 1),
        ("abb", 2),
        ("abcabc", 1),
    ],
)
def test_repetition_is_counted_for_one_call_and_for_two_in_turn(keys: str, expected: int) -> None:
    assert cycles(list(keys)) == expected


def test_a_call_is_the_same_however_its_arguments_are_ordered_and_nested() -> None:
    assert call_key("look", {"a": {"x": 1, "y": 2}, "b": 3}) == call_key(
        "look", {"b": 3, "a": {"y": 2, "x": 1}}
    )
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    assert call_key("look", {"a": deep}) == call_key("look", {"a": deep})


def test_the_calls_of_a_turn_are_those_since_the_newest_user_message() -> None:
    calls = [call(f"c{number}") for number in range(3)]
    conversation = [user("u1"), answer("a1", calls[:1]), user("u2"), answer("a2", calls[1:2], calls[2:])]
    assert calls_of_turn(conversation) == calls[1:]
    assert calls_of_turn(conversation[:3]) == []


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        pytest.param(call("c1", "x"), call("c2", "x"), True, id="the same but for its id"),
        pytest.param(call("c1", "x"), call("c2", "y"), False, id="another result"),
        pytest.param(call("c1", "x"), call("c2", "x", name="see"), False, id="another tool"),
        pytest.param(call("c1", "x"), call("c2", "x", arguments={"a": 1}), False, id="other arguments"),
    ],
)
def test_a_call_that_brings_something_new_is_no_repetition(one: Any, other: Any, is_same: bool) -> None:
    assert (part_key(one) == part_key(other)) is is_same


def calls_of(keys: str) -> list[tuple[str, str]]:
    return [(f"{key}{number}", key) for number, key in enumerate(keys)]


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        pytest.param(["aa"], {}, id="twice is none"),
        pytest.param(["aaaa"], {"a2": 3, "a3": 4}, id="from the third time on"),
        pytest.param(["ababab"], {"b5": 3}, id="two calls in turn"),
        pytest.param(["aa", "aa"], {}, id="a new turn begins anew"),
        pytest.param(["aabaa"], {}, id="something else in between"),
    ],
)
def test_repetitions_are_found_within_their_turn(turns: list[str], found: dict[str, int]) -> None:
    assert repetitions(map(calls_of, turns)) == found


def test_the_note_says_how_often() -> None:
    assert repeat_note(4).startswith("Note: this exact call has now been made 4 times with the same result.")

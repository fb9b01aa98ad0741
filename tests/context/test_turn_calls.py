from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.context.compaction import blocks
from comfyui_assistant.engine.context.tool_facts import ToolFacts
from comfyui_assistant.engine.context.turn_calls import (
    call_key,
    cycles,
    find_basis,
    list_turn_calls,
    part_key,
    repeat_note,
    repetitions,
)

from .conversations import answer, call, user
from .planned import contents, planned

FACTS = {"read": ToolFacts(share="most"), "skill": ToolFacts(share="most")}


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
    assert list_turn_calls(conversation) == calls[1:]
    assert list_turn_calls(conversation[:3]) == []


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


def reading(call_id: str, nodes: int = 0, *, name: str = "read", room: int = 9_000, **arguments: Any) -> Any:
    listing = "\n".join(f"{number} KSampler {call_id} steps=20" for number in range(nodes))
    output = {"ok": True, "summary": f"Did {call_id}.", "data": listing}
    metadata = {"comfyuiAssistant": {"room": room}}
    return call(call_id, output, name=name, arguments=arguments, callProviderMetadata=metadata)


@pytest.mark.parametrize(
    ("steps", "places"),
    [
        pytest.param([[reading("a")], [call("b")], [reading("c", near="7")]], [1, 3], id="readings alone"),
        pytest.param([[reading("a")], [call("b")], [reading("c")]], [3], id="the newest of equal ones"),
        pytest.param([[call("a", {"ok": False, "error": "No."}, name="read")]], [], id="none that failed"),
        pytest.param([[call("a", "text", name="read")]], [], id="none that is no object"),
    ],
)
def test_a_turn_stands_on_what_its_tools_ask_the_most_room_for(steps: Any, places: list[int]) -> None:
    conversation = [user("u1"), answer("a1", *steps)]
    assert find_basis([*blocks(conversation)], FACTS) == places


def test_what_a_turn_before_stood_on_is_none_any_more() -> None:
    conversation = [user("u1"), answer("a1", [reading("a")]), user("u2"), answer("a2", [call("b")])]
    assert find_basis([*blocks(conversation)], FACTS) == []


def test_a_reading_is_not_condensed_by_smaller_ones_of_its_turn() -> None:
    whole, near = reading("whole", 400), reading("near", 340, around="7")
    conversation = [user("u1"), answer("a1", [whole], [near])]
    made = planned(conversation, window=8_000, facts=FACTS)
    assert made.tokens > made.thresholds.high
    assert json.loads(made.messages[3]["content"]) == whole["output"]
    assert json.loads(made.messages[-1]["content"]) == near["output"]


def test_a_skill_stays_whole_while_its_turn_lasts_and_is_a_digest_afterwards() -> None:
    steps = [[reading(f"c{number}", 120, name="look")] for number in range(8)]
    conversation = [user("u1"), answer("a1", [reading("guide", 60, name="skill")])]
    before = None
    for step in steps:
        conversation[-1]["parts"] += answer("", step)["parts"]
        made = planned(conversation, window=8_000, facts=FACTS, compaction=before)
        before = made.compaction
        assert "59 KSampler guide" in contents(made)
    assert before is not None
    assert before.basis
    later = [*conversation, user("u2"), answer("a2", *steps[:5])]
    made = planned(later, window=8_000, facts=FACTS, compaction=before)
    assert "59 KSampler guide" not in contents(made)
    assert made.compaction.basis == ()


def test_a_limit_of_rounds_leaves_a_skill_whole_while_its_turn_lasts() -> None:
    steps = [[reading("guide", 9, name="skill")], *([call(f"c{number}")] for number in range(4))]
    conversation = [user("u1"), answer("a1", *steps)]
    assert "8 KSampler guide" in contents(planned(conversation, limits={"keep_rounds": 2}, facts=FACTS))
    ended = [*conversation, user("u2")]
    assert "8 KSampler guide" not in contents(planned(ended, limits={"keep_rounds": 2}, facts=FACTS))


def test_where_there_is_no_room_beside_it_a_reading_is_condensed_after_all() -> None:
    steps = [[reading(f"c{number}", 300, near=number)] for number in range(5)]
    made = planned([user("u1"), answer("a1", *steps)], window=8_000, facts=FACTS)
    assert made.tokens <= 8_000
    assert not made.is_emergency

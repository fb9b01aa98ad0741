from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.context.condensing import (
    checkpoint_old_turns,
    digest_old_rounds,
    move_to_checkpoint,
)
from comfyui_assistant.engine.context.results import share_budget
from comfyui_assistant.engine.context.tool_facts import ToolFacts

from .conversations import answer, call, result, turns, user
from .laid_out import folded, laid_out
from .planned import contents, planned


def test_a_conversation_that_grows_too_long_is_condensed_once_and_then_only_grows_again() -> None:
    conversation = turns(80)
    made = planned(conversation, window=16_000)
    assert made.has_compacted
    assert made.stages[-1] == "checkpoint"
    assert made.tokens <= made.thresholds.low + 1_000
    again = planned(conversation, window=16_000, compaction=made.compaction)
    assert not again.has_compacted
    assert again.messages == made.messages
    longer = planned([*conversation, *turns(1, first=80)], window=16_000, compaction=made.compaction)
    assert longer.messages[: len(made.messages)] == made.messages


def test_the_documented_limits_act_on_top_of_the_token_budget() -> None:
    made = planned(turns(20), limits={"max_messages": 18, "keep_rounds": 1}, window=100_000)
    assert len(made.messages) <= 1 + 2 + 18
    whole = [
        message
        for message in made.messages
        if message["role"] == "tool" and "word word" in message["content"]
    ]
    assert len(whole) == 1
    few = planned(turns(20), limits={"max_turns": 6}, window=100_000)
    assert sum(message["role"] == "user" for message in few.messages[3:]) <= 6


def test_when_the_cache_is_cold_anyway_less_is_enough_to_condense() -> None:
    conversation = turns(40)
    window = planned(conversation, window=1_000_000).tokens * 10 // 7
    assert not planned(conversation, window=window).has_compacted
    assert planned(conversation, window=window, idle_seconds=3_600).has_compacted


def with_room(call_id: str, output: Any, room: int) -> Any:
    return call(call_id, output, callProviderMetadata={"comfyuiAssistant": {"room": room}})


def test_a_new_result_stays_whole_while_what_is_old_gives_way_to_it() -> None:
    old = turns(26, rounds=2, words=450)
    before = planned(old[:-1])
    listing = "\n".join(f"{number} KSampler steps=20" for number in range(300))
    rooms = share_budget(before.free, [ToolFacts(share="most")])
    assert rooms[0].holds({"ok": True, "data": listing})
    conversation = [
        *old,
        user("new"),
        answer("a-new", [with_room("c-new", {"ok": True, "data": listing}, rooms[0].tokens)]),
    ]
    made = planned(conversation, compaction=before.compaction)
    assert made.stages[:1] == ("digest",)
    assert json.loads(made.messages[-1]["content"])["data"] == listing

    conversation[-1]["parts"] += answer("", [call("c-next")])["parts"]
    after = planned(conversation, compaction=made.compaction)
    assert not after.has_compacted
    assert after.messages[: len(made.messages)] == made.messages


def test_a_new_result_has_room_beside_a_reading_that_takes_most_of_the_window() -> None:
    listing = "\n".join(f"{number} KSampler steps=20" for number in range(380))
    reading = {**with_room("c1", {"ok": True, "data": listing}, 5_000), "type": "tool-getWorkflowInfo"}
    rest = [call(f"c{number}", {"ok": True, "data": "word " * 200}) for number in range(2, 9)]
    conversation = [user("u1"), answer("a1", *([step] for step in [reading, *rest]))]
    options = {
        "window": 12_000,
        "system": "Rule. " * 3_300,
        "facts": {"getWorkflowInfo": ToolFacts(share="most")},
    }
    before = planned(conversation, **options)
    assert not before.has_compacted
    (room,) = share_budget(before.free, [ToolFacts(share="most")])
    assert room.tokens > 1_000

    new = {"ok": True, "data": "\n".join(f"{number} EmptyImage" for number in range(180))}
    assert room.holds(new)
    conversation[-1]["parts"] += answer("", [with_room("c-new", new, room.tokens)])["parts"]
    after = planned(conversation, **options)
    assert json.loads(after.messages[-1]["content"]) == new
    assert after.tokens <= 12_000


def test_a_new_result_has_the_room_that_condensing_a_short_history_really_gives() -> None:
    def reading(number: int, nodes: int, room: int) -> Any:
        listing = "\n".join(f"{node} KSampler steps={number}" for node in range(nodes))
        part = with_room(f"r{number}", {"ok": True, "summary": "Read.", "data": listing}, room)
        return {**part, "type": "tool-getWorkflowInfo"}

    options: dict[str, Any] = {
        "window": 16_384,
        "reserve": 4_096,
        "system": "Rule. " * 3_300,
        "facts": {"getWorkflowInfo": ToolFacts(share="most")},
    }
    looks = [[call(f"c{number}", {"ok": True, "data": "word " * 300})] for number in range(3)]
    conversation = [
        user("u1"),
        answer("a1", [reading(1, 160, 3_000)], *looks),
        user("u2"),
        answer("a2", [reading(2, 160, 3_000)]),
    ]
    before = planned(conversation, **options)
    assert not before.has_compacted
    (room,) = share_budget(before.free, [ToolFacts(share="most")])
    assert room.tokens > 2_700

    new = reading(3, 310, room.tokens)
    assert room.holds(new["output"])
    conversation[-1]["parts"] += answer("", [new])["parts"]
    after = planned(conversation, **options)
    assert after.stages
    assert not after.is_emergency
    assert json.loads(after.messages[-1]["content"]) == new["output"]


def test_what_is_condensed_is_no_longer_than_the_cap_where_it_is_not_a_digest() -> None:
    listing = "\n".join(f"{number} KSampler steps=20" for number in range(600))
    steps = [[with_room(f"c{number}", {"ok": True, "data": listing}, 9_000)] for number in range(3)]
    made = planned([user("u1"), answer("a1", *steps)], window=16_000)
    lengths = [len(message["content"]) for message in made.messages if message["role"] == "tool"]
    assert lengths[0] < 200 < lengths[1] <= 1_000 < 13_000 < lengths[2]


def test_a_new_result_for_which_there_is_less_room_than_was_thought_is_capped_before_it_becomes_a_digest() -> (
    None
):
    listing = "\n".join(f"{number} KSampler steps=20" for number in range(600))
    made = planned(
        [user("u1"), answer("a1", [with_room("c1", {"ok": True, "data": listing}, 9_000)])], window=4_500
    )
    assert made.stages == ("emergency-1",)
    shown = json.loads(made.messages[-1]["content"])["data"].split("\n")
    assert shown[0] == "0 KSampler steps=20"
    assert shown[-1] == "599 KSampler steps=20"


@pytest.mark.parametrize(
    ("keep_rounds", "keep_tokens", "expected"),
    [
        pytest.param(9, 0, "USSSUSSS", id="a short conversation is untouched"),
        pytest.param(4, 0, "USSSUSSS", id="as many as there are"),
        pytest.param(3, 0, "usSSUSSS", id="the oldest goes first"),
        pytest.param(2, 0, "ussSUSSS", id="the two newest stay whole"),
        pytest.param(0, 0, "usssUssS", id="all of them, but never the newest user message"),
        pytest.param(0, 10**6, "USSSUSSS", id="all that fit the tokens stay"),
    ],
)
def test_only_older_rounds_are_folded(keep_rounds: int, keep_tokens: int, expected: str) -> None:
    layout = laid_out(turns(2))
    assert folded(digest_old_rounds(layout, keep_rounds=keep_rounds, keep_tokens=keep_tokens)) == expected


def test_what_is_a_digest_stays_one() -> None:
    layout = digest_old_rounds(laid_out(turns(2)), keep_rounds=1, keep_tokens=0)
    again = digest_old_rounds(layout, keep_rounds=9, keep_tokens=10**6)
    assert again is layout


def test_a_folded_round_is_named_by_the_message_that_it_lies_in() -> None:
    conversation = turns(2)
    state = digest_old_rounds(laid_out(conversation), keep_rounds=2, keep_tokens=0).state
    assert (tuple(state.digested), state.digested_id, state.plain_users) == ((1, 2), "a0", 1)


def test_no_result_is_dropped() -> None:
    layout = laid_out(turns(2))
    shorter = digest_old_rounds(layout, keep_rounds=0, keep_tokens=0)
    assert shorter.tokens < layout.tokens
    assert [message["role"] for message in shorter.messages()] == [
        message["role"] for message in layout.messages()
    ]


def test_a_long_turn_keeps_its_own_request_while_its_oldest_rounds_are_condensed() -> None:
    steps = [[call(f"c{number}", result(f"Did {number}.", 300))] for number in range(60)]
    conversation = [user("u1", "the goal"), answer("a1", *steps)]
    made = planned(conversation, window=8_000)
    assert made.tokens <= 8_000
    assert {"role": "user", "content": "the goal"} in made.messages
    assert "The request u1 is being worked on" in made.messages[1]["content"]
    assert "word word" in made.messages[-1]["content"]


def test_one_huge_message_does_not_push_the_rest_out_unsaid() -> None:
    made = planned([*turns(3), user("big", "word " * 1_000_000)], window=8_000)
    assert made.tokens <= 8_000
    assert all(f"Question {number}" in contents(made) for number in range(3))


def sizes() -> list[int]:
    return laid_out(turns(4)).sizes


@pytest.mark.parametrize(
    ("limits", "upto"),
    [
        pytest.param({"room": 10**6}, (2, 0), id="the oldest turn"),
        pytest.param({"room": sum(sizes()[8:])}, (4, 0), id="as many turns as it takes"),
        pytest.param({"room": sum(sizes()[8:]) - 1}, (6, 0), id="never a part of an older turn"),
        pytest.param(
            {"room": sum(sizes()[12:]) - 1}, (7, 1), id="of the newest turn one round after the other"
        ),
        pytest.param({"room": 0}, (7, 2), id="all but the newest block"),
        pytest.param({"room": 0, "keep": 2}, (7, 1), id="all but as many blocks as are to stay"),
        pytest.param({"room": 10**6, "max_turns": 1}, (6, 0), id="down to so many turns"),
        pytest.param({"room": 10**6, "max_messages": 12}, (4, 0), id="down to so many messages"),
    ],
)
def test_the_oldest_goes_until_the_rest_fits(limits: Any, upto: Any) -> None:
    assert checkpoint_old_turns(laid_out(turns(4)), share=0, **limits).state.upto == upto


def test_one_turn_that_cannot_be_cut_stays() -> None:
    layout = laid_out([user("u1", "word " * 900)])
    assert checkpoint_old_turns(layout, room=0, share=0) is layout


@pytest.mark.parametrize(
    ("cut", "upto", "name", "is_carried", "counts"),
    [
        pytest.param(4, (2, 0), "a0", False, (1, 2, 1, 2), id="a whole turn"),
        pytest.param(6, (3, 1), "a1", True, (2, 3, 1, 3), id="a part of the newest one"),
        pytest.param(8, (3, 3), "a1", True, (2, 4, 1, 4), id="all of it"),
    ],
)
def test_what_is_condensed_is_named_and_counted(
    cut: int, upto: Any, name: str, is_carried: bool, counts: Any
) -> None:
    state = move_to_checkpoint(laid_out(turns(2)), cut, share=2_000).state
    assert (state.upto, state.upto_id, state.digested, state.digested_id) == (upto, name, upto, name)
    assert state.carries is is_carried
    assert (state.users, state.results, state.turns, state.rounds) == counts


def test_condensing_again_begins_where_the_memory_of_the_checkpoint_begins() -> None:
    once = move_to_checkpoint(laid_out(turns(4)), 4, share=2_000)
    twice = move_to_checkpoint(once, 4, share=2_000)
    assert twice.state == move_to_checkpoint(laid_out(turns(4)), 8, share=2_000).state
    assert "u1: Question 0: keep seed 1000." in twice.state.text


def test_a_conversation_of_nothing_has_nothing_to_condense() -> None:
    layout = laid_out([])
    assert move_to_checkpoint(layout, 0, share=100) is layout

from __future__ import annotations

import json
from typing import Any

from comfyui_assistant.engine.context.result_budget import share_budget
from comfyui_assistant.engine.context.tool_facts import ToolFacts

from .conversations import answer, call, turns, user
from .planned import planned


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

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.plan import (
    Budget,
    Compaction,
    Condense,
    ContextTooSmall,
    cleared,
    plan,
    system_form,
    working_set,
)
from comfyui_assistant.engine.context.slash_skill import named_skills, slash_skill
from hypothesis import given
from hypothesis import strategies as st

from tests.context.conversations import STEP, answer, call, result, text, turns, user

READ_BACK = {"type": "function", "function": {"name": "readToolResult", "description": "", "parameters": {}}}


def planned(conversation: Any, **options: Any) -> Any:
    budget = Budget(options.pop("window", 32_000), options.pop("reserve", 0), **options.pop("limits", {}))
    given: dict[str, Any] = {
        "system": "Rules.",
        "form": "full",
        "tools": [READ_BACK],
        "facts": {},
        "skills": {},
        **options,
    }
    return plan(conversation, budget=budget, **given)


def contents(made: Any) -> str:
    return "\n".join(str(message["content"]) for message in made.messages)


@pytest.mark.parametrize(
    ("mode", "window", "is_slim", "is_first_turn", "expected"),
    [
        ("auto", 32_000, False, False, "full"),
        ("auto", 15_000, False, True, "full"),
        ("auto", 15_000, False, False, "continuation"),
        ("full", 13_000, False, False, "full"),
        ("continuation", 128_000, False, True, "full"),
        ("continuation", 128_000, False, False, "continuation"),
        ("full", 8_192, True, True, "slim"),
    ],
)
def test_the_form_of_the_system_message(
    mode: Any, window: int, is_slim: bool, is_first_turn: bool, expected: str
) -> None:
    assert system_form(mode, window=window, is_slim=is_slim, is_first_turn=is_first_turn) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("/skill inpaint", ("inpaint", "")),
        ("  /skill inpaint make it\nso", ("inpaint", "make it\nso")),
        ("/skill", None),
        ("/home/me/wf.json please load", None),
        ("use /skill inpaint", None),
        ("/skills", None),
    ],
)
def test_a_slash_skill_is_told_from_a_path(typed: str, expected: Any) -> None:
    assert slash_skill(typed) == expected


@pytest.mark.parametrize(
    ("window", "expected"), [(8_192, 6_144), (32_768, 28_672), (100_000, 50_000), (1_000_000, 64_000)]
)
def test_the_working_set_is_all_of_a_small_window_and_a_part_of_a_large_one(
    window: int, expected: int
) -> None:
    assert working_set(window, min(4_096, window // 4)) == expected


def test_an_activated_skill_goes_to_the_model_with_its_message_and_stays_there() -> None:
    conversation = [
        user("u1", "/skill inpaint fix the face"),
        answer("a1", [text("Done.")]),
        user("u2", "and now?"),
    ]
    assert named_skills(conversation) == ["inpaint"]
    first, last = (
        planned(conversation, skills={"inpaint": "Mask first."}).messages[index] for index in (1, -1)
    )
    assert "Mask first." in first["content"]
    assert "fix the face" in first["content"]
    assert "/skill inpaint" not in first["content"]
    assert last["content"] == "and now?"


def test_system_messages_that_a_client_posted_are_left_as_they_are_only_without_a_thread() -> None:
    conversation = [{"id": "s", "role": "system", "parts": [text("Mine.")]}, user("u1")]
    assert planned(conversation, form="posted").messages[0] == {"role": "system", "content": "Mine."}
    assert planned(conversation).messages[0] == {"role": "system", "content": "Rules."}


def test_below_the_threshold_each_request_is_the_one_before_with_something_added() -> None:
    conversation = turns(12)
    before: list[Any] = []
    for end in range(1, len(conversation) + 1):
        made = planned(conversation[:end], window=100_000)
        assert made.messages[: len(before)] == before
        assert not made.has_compacted
        before = made.messages


def test_a_large_result_is_capped_at_once_and_its_handle_reads_it_back() -> None:
    output = {
        "ok": True,
        "summary": "Read.",
        "data": [{"id": number, "type": "KSampler"} for number in range(900)],
    }
    conversation = [user("u1"), answer("a1", [call("c1", output)])]
    shown = planned(conversation).messages[-1]["content"]
    assert len(shown) < 4_300
    assert 'readToolResult with ref "r1"' in shown
    assert shown.startswith('{"ok":true,"summary":"Read."')
    assert shown.endswith('{"id":899,"type":"KSampler"}]}')
    assert json.loads(read_back(conversation, "r1") or "") == output


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


def test_what_was_condensed_is_the_same_after_a_restart() -> None:
    conversation = turns(80)
    made = planned(conversation, window=16_000)
    restored = Compaction.from_json(json.loads(json.dumps(made.compaction.as_json())))
    assert restored == made.compaction
    assert planned(conversation, window=16_000, compaction=restored).messages == made.messages


def test_the_checkpoint_has_every_request_the_decisions_and_the_handles() -> None:
    conversation = turns(40)
    made = planned(conversation, window=16_000)
    checkpoint = made.messages[1]["content"]
    assert all(f"keep seed {1000 + number}" in contents(made) for number in range(40))
    assert "a1: Answer 0. I chose sampler 0 because it is fast." in checkpoint
    assert "r1 to r" in checkpoint
    assert "Question 3" in (read_back(conversation, "u4") or "")
    assert "Answer 3" in (read_back(conversation, "a4") or "")
    assert read_back(conversation, "r999") is None
    assert read_back(conversation, "everything") is None


def test_pins_stand_word_for_word_in_the_checkpoint() -> None:
    made = planned(turns(80), window=16_000, pins=["Never change node 7."])
    assert "- Never change node 7." in made.messages[1]["content"]


def test_a_long_turn_keeps_its_own_request_while_its_oldest_rounds_are_condensed() -> None:
    steps = [[call(f"c{number}", result(f"Did {number}.", 300))] for number in range(60)]
    conversation = [user("u1", "the goal"), answer("a1", *steps)]
    made = planned(conversation, window=8_000)
    assert made.tokens <= 8_000
    assert {"role": "user", "content": "the goal"} in made.messages
    assert "The request u1 is being worked on" in made.messages[1]["content"]
    assert "word word" in made.messages[-1]["content"]


def test_one_message_that_is_larger_than_the_window_is_shortened_and_says_so() -> None:
    conversation = [user("u1", "Begin. " + "word " * 60_000 + "The end.")]
    made = planned(conversation, window=8_000)
    assert made.tokens <= 8_000
    assert 'characters left out; readToolResult with ref "u1"' in made.messages[-1]["content"]
    assert made.messages[-1]["content"].endswith("The end.")


def test_an_edit_of_an_older_message_makes_what_was_condensed_void() -> None:
    conversation = turns(80)
    made = planned(conversation, window=16_000)
    edited = [*conversation[:2], user("edited", "Something else.")]
    after = planned(edited, window=16_000, compaction=made.compaction)
    assert after.compaction is None
    assert after.messages[1]["content"].startswith("Question 0")


def test_after_a_clear_the_model_begins_afresh_and_handles_still_read_the_rest() -> None:
    conversation = turns(5)
    afresh = [*conversation, user("new", "Something new.")]
    made = planned(afresh, compaction=cleared(conversation))
    assert made.messages == [
        {"role": "system", "content": "Rules."},
        {"role": "user", "content": "Something new."},
    ]
    assert "Question 2" in (read_back(afresh, "u3") or "")


def test_condensing_on_demand_keeps_what_touches_the_focus() -> None:
    conversation = turns(30)
    conversation[1] = answer(
        "a0", [text("We talked. " * 40 + "The hires pass stays at denoise 0.35. " + "Fine. " * 300)]
    )
    made = planned(conversation, window=100_000, force=Condense("hires denoise"))
    assert made.has_compacted
    assert "The hires pass stays at denoise 0.35." in made.messages[1]["content"]


def test_a_long_thread_that_was_never_condensed_is_condensed_from_its_beginning() -> None:
    conversation = turns(600, words=60)
    made = planned(conversation, window=8_000)
    assert made.tokens <= 8_000
    assert "u1: Question 0" in made.messages[1]["content"]
    assert made.compaction.turns > 590
    assert json.loads(read_back(conversation, "r1") or "")["summary"] == "Did 0-0."


def test_one_huge_message_does_not_push_the_rest_out_unsaid() -> None:
    made = planned([*turns(3), user("big", "word " * 1_000_000)], window=8_000)
    assert made.tokens <= 8_000
    assert all(f"Question {number}" in contents(made) for number in range(3))


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


def test_emergency_stages_are_each_smaller_and_all_fit() -> None:
    conversation = turns(10, words=1_000)
    sizes = [planned(conversation, window=16_000, emergency=stage).tokens for stage in (0, 1, 2, 3)]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 4


def test_a_message_that_is_hardly_too_long_is_cut_by_what_it_is_too_long() -> None:
    picture = {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,AAAA"}
    message = user("u1", "日本語のテキスト" * 750)
    message["parts"].append(picture)
    made = planned([message], window=32_000, reserve=4_096, limits={"factor": 3.0})
    assert made.tokens <= 32_000 - 4_096
    assert "characters left out" in contents(made)


def test_a_picture_that_leaves_no_room_for_its_message_is_named_instead() -> None:
    message = user("u1", "What is this?")
    url = f"data:image/webp;base64,{base64.b64encode(b'no image').decode()}"
    message["parts"].append({"type": "file", "mediaType": "image/webp", "url": url, "filename": "big.webp"})
    made = planned([message], window=1_200)
    assert made.tokens <= 1_200
    assert "What is this?" in contents(made)
    assert 'not shown again: "big.webp"' in contents(made).replace("\\", "")


def test_a_window_in_which_not_even_the_floor_fits_is_refused_with_the_numbers() -> None:
    with pytest.raises(ContextTooSmall) as refused:
        planned([user("u1", "hello")], system="Rule. " * 4_000, window=4_000)
    assert refused.value.needed > refused.value.room == 4_000


def test_when_the_cache_is_cold_anyway_less_is_enough_to_condense() -> None:
    conversation = turns(40)
    window = planned(conversation, window=1_000_000).tokens * 10 // 7
    assert not planned(conversation, window=window).has_compacted
    assert planned(conversation, window=window, idle_seconds=3_600).has_compacted


def test_arguments_that_are_huge_are_cut_and_stay_json() -> None:
    conversation = [
        user("u1"),
        answer("a1", [call("c1", arguments={"json": "x" * 500_000, "list": ["y"] * 5_000})]),
    ]
    made = planned(conversation).messages[-2]["tool_calls"][0]["function"]["arguments"]
    assert len(made) <= 20_000
    assert "characters left out" in json.loads(made)["json"]


@given(
    st.lists(
        st.tuples(st.text(max_size=400), st.integers(0, 4), st.integers(0, 400)), min_size=1, max_size=12
    ),
    st.sampled_from([4_000, 8_000, 32_000]),
)
def test_a_request_fits_whatever_the_conversation(shapes: Any, window: int) -> None:
    conversation = [
        message
        for number, (question, rounds, size) in enumerate(shapes)
        for message in (
            user(f"u{number}", question or "?"),
            answer(
                f"a{number}",
                *([call(f"c{number}-{index}", result("Did it.", size))] for index in range(rounds)),
            ),
        )
        if message["parts"]
    ]
    made = planned(conversation, window=window)
    assert made.tokens <= window
    assert made.messages == planned(conversation, window=window).messages


def test_a_history_that_begins_with_a_result_is_sent_from_its_first_user_message() -> None:
    conversation = [{"id": "a", "role": "assistant", "parts": [STEP, call("c0")]}, user("u1", "hi")]
    assert planned(conversation).messages[1:] == [{"role": "user", "content": "hi"}]


def test_a_checkpoint_does_not_stand_for_a_message_that_another_branch_answers() -> None:
    long = f"Keep seed 7. {'word ' * 8_000}"
    asked = [*turns(2), user("u2", long)]
    made = planned([*asked, user("u3")], force=Condense())
    assert made.compaction is not None
    assert made.compaction.upto_id == "u2"
    answered = [*asked, answer("a2", [text("Kept.")])]
    assert not made.compaction.holds_for(answered)
    sent = planned(answered, compaction=made.compaction).messages
    assert {"role": "user", "content": long} in sent

from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.context.compaction import (
    START,
    Block,
    Compaction,
    Position,
    blocks,
    clear_conversation,
    message_before,
    newest_valid,
    skip_before,
    skip_unsendable,
    steps,
)
from comfyui_assistant.engine.context.condensing import Condense
from comfyui_assistant.engine.context.handles import read_back

from .conversations import STEP, answer, call, text, turns, user
from .planned import planned

ONE, TWO, THREE = call("c1"), call("c2"), call("c3")
SYSTEM: Any = {"id": "s", "role": "system", "parts": [text("Rules.")]}
MESSAGES = [
    SYSTEM,
    user("m1"),
    answer("m2", [text("First."), ONE, TWO], [text("Done.")]),
    user("m3"),
    answer("m4", [THREE]),
]


def spans(found: Any) -> list[Any]:
    return [
        (block.kind, tuple(block.start), tuple(block.end), block.user, block.results, len(block.calls))
        for block in found
    ]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([STEP, ONE, STEP, TWO], [[STEP, ONE], [STEP, TWO]], id="each start opens one"),
        pytest.param([ONE, STEP, TWO], [[ONE], [STEP, TWO]], id="parts before the first start are a step"),
        pytest.param([STEP, STEP], [[STEP], [STEP]], id="empty steps count"),
    ],
)
def test_an_answer_is_taken_apart_into_its_steps(parts: Any, expected: Any) -> None:
    assert steps(parts) == expected


def test_blocks_are_user_messages_and_steps_with_the_counts_that_name_what_they_hold() -> None:
    assert spans(blocks(MESSAGES)) == [
        ("user", (1, 0), (2, 0), 1, 0, 0),
        ("step", (2, 0), (2, 1), 1, 0, 2),
        ("step", (2, 1), (3, 0), 1, 2, 0),
        ("user", (3, 0), (4, 0), 2, 2, 0),
        ("step", (4, 0), (4, 1), 2, 2, 1),
    ]


@pytest.mark.parametrize("number", range(5))
def test_the_blocks_from_the_end_of_one_are_those_that_follow_it(number: int) -> None:
    everything = list(blocks(MESSAGES))
    last = everything[number]
    rest = blocks(MESSAGES, last.end, users=last.user, results=last.results + len(last.calls))
    assert list(rest) == everything[number + 1 :]


def test_a_block_holds_its_own_parts() -> None:
    message = MESSAGES[4]
    assert list(blocks(MESSAGES))[-1] == Block(
        "step", message, [STEP, THREE], [THREE], Position(4), Position(4, 1), 2, 2
    )


def test_nothing_has_no_blocks() -> None:
    assert list(blocks([], START)) == []


def test_what_was_condensed_is_the_same_after_a_restart() -> None:
    conversation = turns(80)
    made = planned(conversation, window=16_000)
    restored = Compaction.from_json(json.loads(json.dumps(made.compaction.as_json())))
    assert restored == made.compaction
    assert planned(conversation, window=16_000, compaction=restored).messages == made.messages


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
    made = planned(afresh, compaction=clear_conversation(conversation))
    assert made.messages == [
        {"role": "system", "content": "Rules."},
        {"role": "user", "content": "Something new."},
    ]
    assert "Question 2" in (read_back(afresh, "u3") or "")


def test_a_long_thread_that_was_never_condensed_is_condensed_from_its_beginning() -> None:
    conversation = turns(600, words=60)
    made = planned(conversation, window=8_000)
    assert made.tokens <= 8_000
    assert "u1: Question 0" in made.messages[1]["content"]
    assert made.compaction.turns > 590
    assert json.loads(read_back(conversation, "r1") or "")["summary"] == "Did 0-0."


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


CONVERSATION = [user("u1"), answer("a1", [call("c1"), call("c2")], [text("Done.")]), user("u2")]


@pytest.mark.parametrize(
    ("position", "name"),
    [
        ((0, 0), ""),
        ((1, 0), "u1"),
        ((1, 1), "a1"),
        ((2, 0), "a1"),
        ((3, 0), "u2"),
        ((4, 0), None),
        ((3, 1), None),
    ],
)
def test_a_place_is_named_by_the_message_before_it(position: Any, name: str | None) -> None:
    assert message_before(CONVERSATION, Position(*position)) == name


def test_what_is_before_a_message_is_counted_and_nothing_stands_for_it() -> None:
    assert skip_before(CONVERSATION, 2) == Compaction(
        upto=Position(2), digested=Position(2), upto_id="a1", digested_id="a1", users=1, results=2
    )
    assert skip_before(CONVERSATION, 0) == Compaction()


@pytest.mark.parametrize(
    ("conversation", "is_carried"),
    [
        pytest.param(CONVERSATION[:2], False, id="an answered one"),
        pytest.param(CONVERSATION, True, id="one that waits for its answer"),
        pytest.param([], False, id="an empty one"),
    ],
)
def test_after_a_clear_only_a_message_that_waits_for_its_answer_is_sent(
    conversation: Any, is_carried: bool
) -> None:
    state = clear_conversation(conversation)
    assert state.begin == state.upto == Position(len(conversation))
    assert state.carries is is_carried
    assert state.holds_for(conversation)


def test_the_newest_that_still_holds_is_taken() -> None:
    older, newer = skip_before(CONVERSATION, 1), skip_before(CONVERSATION, 3)
    assert newest_valid([older, newer], CONVERSATION) == newer
    assert newest_valid([older, newer], [CONVERSATION[0], user("edited")]) == older
    assert newest_valid([older, newer], [user("edited")]) is None
    assert newest_valid([], CONVERSATION) is None


@pytest.mark.parametrize(
    ("tokens", "text_cap", "left_out"),
    [
        pytest.param(1_000, 10**6, 6, id="the newest message alone is too much"),
        pytest.param(2_000, 10**6, 4, id="the newest two turns are"),
        pytest.param(10**6, 10**6, 0, id="everything could be sent"),
        pytest.param(1_000, 80, 0, id="texts that are cut anyway"),
    ],
)
def test_what_could_be_sent_by_no_means_is_left_out_from_the_beginning(
    tokens: int, text_cap: int, left_out: int
) -> None:
    long = "x" * 8 * 1_100
    conversation = [
        message
        for number in range(4)
        for message in (user(f"u{number}", long), answer(f"a{number}", [text("ok")]))
    ]
    assert skip_unsendable(conversation, tokens=tokens, text_cap=text_cap) == skip_before(
        conversation, left_out
    )


@pytest.mark.parametrize(
    "change",
    [{"upto": None}, {"upto": [1, 2, 3]}, {"cap": "much"}, {"begin": ["a", 0]}],
    ids=str,
)
def test_what_no_compaction_wrote_is_refused(change: Any) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Compaction.from_json({**Compaction().as_json(), **change})
    with pytest.raises(KeyError):
        Compaction.from_json({})

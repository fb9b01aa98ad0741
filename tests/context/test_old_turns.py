from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.old_turns import checkpoint_old_turns, move_to_checkpoint

from .conversations import answer, call, result, turns, user
from .laid_out import laid_out
from .planned import contents, planned


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

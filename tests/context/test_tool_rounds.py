from __future__ import annotations

import pytest
from comfyui_assistant.engine.context.tool_rounds import digest_old_rounds

from .conversations import turns
from .laid_out import folded, laid_out


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

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .conversations import answer, call, result, text, turns, user
from .planned import planned


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


@pytest.mark.slow
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

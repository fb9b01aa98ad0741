from __future__ import annotations

import base64
from typing import Any

import pytest
from comfyui_assistant.engine.context.plan import ContextTooSmall
from hypothesis import given
from hypothesis import strategies as st

from .conversations import answer, call, result, text, turns, user
from .planned import contents, planned


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


def test_one_message_that_is_larger_than_the_window_is_shortened_and_says_so() -> None:
    conversation = [user("u1", "Begin. " + "word " * 60_000 + "The end.")]
    made = planned(conversation, window=8_000)
    assert made.tokens <= 8_000
    assert 'characters left out; readToolResult with ref "u1"' in made.messages[-1]["content"]
    assert made.messages[-1]["content"].endswith("The end.")


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
    assert refused.value.tokens > refused.value.room == 4_000

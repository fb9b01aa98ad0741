from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.context.compaction import Compaction, skip_before
from comfyui_assistant.engine.context.convert import to_openai
from comfyui_assistant.engine.context.layout import ACKNOWLEDGED
from comfyui_assistant.engine.context.position import Position
from comfyui_assistant.engine.context.tokens import count_messages_tokens

from .conversations import STEP, answer, call, text, turns, user
from .laid_out import folded, laid_out
from .planned import planned


def test_a_history_that_begins_with_a_result_is_sent_from_its_first_user_message() -> None:
    conversation = [{"id": "a", "role": "assistant", "parts": [STEP, call("c0")]}, user("u1", "hi")]
    assert planned(conversation).messages[1:] == [{"role": "user", "content": "hi"}]


CONVERSATION = [*turns(2, words=5), user("u2", "And now?")]


def test_where_nothing_is_condensed_the_whole_conversation_is_sent() -> None:
    assert laid_out(CONVERSATION).messages() == to_openai(CONVERSATION)


def test_what_is_condensed_is_one_message_that_the_model_acknowledged() -> None:
    state = replace(skip_before(CONVERSATION, 4), text="[Summary]")
    assert laid_out(CONVERSATION, state).messages() == [
        {"role": "user", "content": "[Summary]"},
        {"role": "assistant", "content": ACKNOWLEDGED},
        {"role": "user", "content": "And now?"},
    ]


def test_a_message_whose_turn_goes_on_behind_the_checkpoint_is_sent_itself() -> None:
    conversation = [user("u0", "Go."), answer("a0", [call("c1")], [call("c2")])]
    state = replace(
        skip_before(conversation, 1), upto=Position(1, 1), users=1, results=1, carries=True, text="[Summary]"
    )
    roles = [(message["role"], message["content"]) for message in laid_out(conversation, state).messages()]
    assert roles[2:4] == [("user", "Go."), ("assistant", None)]
    assert laid_out(conversation, state).carried_tokens > 0


@pytest.mark.parametrize("upto", [0, 2, 4])
@pytest.mark.parametrize("words", ["", "[Summary]"])
def test_the_tokens_of_a_layout_are_those_of_its_messages(upto: int, words: str) -> None:
    unanswered = [*CONVERSATION, user("u3", "Hello?")]
    layout = laid_out(unanswered, replace(skip_before(unanswered, upto), text=words))
    assert layout.tokens == layout.count(layout.messages()) == count_messages_tokens(layout.messages())


def test_messages_that_are_sent_as_one_are_counted_as_one() -> None:
    conversation = [user("u0", "Go."), answer("a0", [text("One.")], [text("Two.")], [call("c1")])]
    layout = laid_out(conversation)
    messages = layout.messages()
    assert len(messages) == 3
    assert layout.count(messages) == count_messages_tokens(messages) < layout.tokens


@pytest.mark.parametrize(
    ("keep_rounds", "expected"), [(None, "USSSUSSSU"), (2, "UssSUSSSU"), (0, "UsssUssSU")]
)
def test_a_limit_that_somebody_has_set_folds_in_every_layout(keep_rounds: Any, expected: str) -> None:
    assert folded(laid_out(CONVERSATION, keep_rounds=keep_rounds)) == expected


def test_a_handle_counts_from_the_beginning_whatever_was_condensed() -> None:
    conversation = [*turns(2, words=5), user("u2"), answer("a2", [call("c", "x" * 9_000)])]
    state = replace(skip_before(conversation, 4), text="[Summary]")
    assert "[r5: " in str(laid_out(conversation, state).messages()[-1]["content"])


def test_the_cap_of_a_state_holds_for_every_text() -> None:
    conversation = [user("u0", "x" * 900), answer("a0", [text("y" * 900)])]
    asked, answered = laid_out(conversation, Compaction(text_cap=200)).messages()
    assert '[u1: 700 characters left out; readToolResult with ref "u1" reads them]' in str(asked["content"])
    assert "[a1: 700 characters left out" in str(answered["content"])

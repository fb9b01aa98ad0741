from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.context.compaction import Compaction, Position, skip_before
from comfyui_assistant.engine.context.layout import (
    ACKNOWLEDGED,
    UNANSWERED,
    posted_system,
    to_openai,
    well_formed,
)
from comfyui_assistant.engine.context.tokens import count_messages_tokens
from hypothesis import given
from hypothesis import strategies as st

from .conversations import STEP, answer, call, text, turns, user
from .laid_out import folded, laid_out
from .planned import planned

ASKED: Any = {"role": "user", "content": "ask"}
SAID: Any = {"role": "assistant", "content": "said"}
CALLED: Any = {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}
GIVEN: Any = {"role": "tool", "tool_call_id": "c", "content": "x"}


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


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([SAID, GIVEN, ASKED], [ASKED], id="what comes before the first user message goes"),
        pytest.param([ASKED, ASKED], [ASKED, UNANSWERED, ASKED], id="an unanswered message says so"),
        pytest.param(
            [ASKED, SAID, SAID], [ASKED, {**SAID, "content": "said\n\nsaid"}], id="answers are joined"
        ),
        pytest.param(
            [ASKED, SAID, CALLED],
            [ASKED, {**CALLED, "content": "said"}],
            id="also with the calls that follow",
        ),
        pytest.param([ASKED, CALLED, GIVEN, SAID], [ASKED, CALLED, GIVEN, SAID], id="a round stays as it is"),
        pytest.param(
            [ASKED, CALLED, GIVEN, ASKED], [ASKED, CALLED, GIVEN, ASKED], id="pictures of its results"
        ),
    ],
)
def test_no_two_of_a_role_follow_each_other(messages: Any, expected: Any) -> None:
    assert well_formed(messages) == expected


def test_the_system_messages_of_a_client_go_first() -> None:
    rules = {"id": "s", "role": "system", "parts": [text("Rules."), text("More.")]}
    assert posted_system([user("u1"), rules]) == [{"role": "system", "content": "Rules.\n\nMore."}]


def shape(messages: Any) -> list[Any]:
    return [
        (message["role"], [made["id"] for made in message["tool_calls"]])
        if message.get("tool_calls")
        else (message["role"], message.get("tool_call_id") or message["content"])
        for message in messages
    ]


def test_each_step_becomes_its_own_assistant_message_followed_by_its_results() -> None:
    conversation = [
        user("u1", "go"),
        answer("a1", [text("First."), call("c1"), call("c2")], [call("c3")], [text("Done.")]),
        user("u2", "thanks"),
    ]
    assert shape(to_openai(conversation)) == [
        ("user", "go"),
        ("assistant", ["c1", "c2"]),
        ("tool", "c1"),
        ("tool", "c2"),
        ("assistant", ["c3"]),
        ("tool", "c3"),
        ("assistant", "Done."),
        ("user", "thanks"),
    ]


def test_texts_of_an_answer_are_joined_and_an_unanswered_message_says_so() -> None:
    notice = {"type": "data-notice", "data": {}}
    conversation = [
        answer("a0", [text("local help")]),
        user("u1", "one"),
        user("u2", "two"),
        answer("a2", [{"type": "reasoning", "text": "hm"}, text("A")], [text("B"), notice]),
    ]
    assert shape(to_openai(conversation)) == [
        ("user", "one"),
        ("assistant", "(This was not answered.)"),
        ("user", "two"),
        ("assistant", "A\n\nB"),
    ]


states = st.sampled_from(
    ["output-available", "output-error", "input-available", "input-streaming", "output-denied"]
)
tools = st.builds(lambda number, state: call(f"c{number}", state=state), st.integers(0, 5), states)
parts = st.one_of(st.just(STEP), st.builds(text, st.text(max_size=5)), tools)
conversations = st.lists(
    st.one_of(
        st.builds(lambda value: user("u", parts=[text(value)]), st.text(max_size=5)),
        st.lists(parts, max_size=8).map(lambda made: {"id": "a", "role": "assistant", "parts": made}),
    ),
    max_size=8,
)


@pytest.mark.slow
@given(conversations)
def test_any_history_is_one_that_strict_providers_accept(conversation: Any) -> None:
    messages = to_openai(conversation)
    assert not messages or messages[0]["role"] == "user"
    open_calls: list[str] = []
    seen: set[str] = set()
    for before, message in zip([None, *messages], messages, strict=False):
        if message["role"] == "tool":
            assert message.get("tool_call_id") == open_calls.pop(0)
            assert message["content"]
            continue
        assert open_calls == []
        assert message["content"] or message.get("tool_calls")
        open_calls = [made["id"] for made in message.get("tool_calls", [])]
        assert len(set(open_calls) | seen) == len(open_calls) + len(seen)
        seen.update(open_calls)
        assert not (before and before["role"] == message["role"] == "user")
    assert open_calls == []


def test_the_system_messages_of_a_client_go_before_all_others() -> None:
    rules = {"id": "s", "role": "system", "parts": [text("Rules.")]}
    assert [message["role"] for message in to_openai([user("u1"), rules])] == ["system", "user"]

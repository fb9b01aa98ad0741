from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.context.convert import to_openai
from hypothesis import given
from hypothesis import strategies as st

from .conversations import STEP, answer, call, text, user


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


def test_the_system_messages_of_a_client_go_first() -> None:
    rules = {"id": "s", "role": "system", "parts": [text("Rules.")]}
    assert [message["role"] for message in to_openai([user("u1"), rules])] == ["system", "user"]

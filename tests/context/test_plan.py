from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.context.history import trim_history
from comfyui_assistant.engine.context.plan import Budget, plan, system_form
from comfyui_assistant.engine.context.slash_skill import named_skills, slash_skill
from comfyui_assistant.engine.context.tokens import count_messages_tokens
from comfyui_assistant.engine.context.tool_rounds import fold_old_tool_rounds
from hypothesis import given
from hypothesis import strategies as st

STEP = {"type": "step-start"}


def round_of(number: int, size: int = 10) -> list[Any]:
    result = json.dumps({"ok": True, "summary": f"Did {number}.", "data": "x" * size})
    made = {"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [made]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": result},
    ]


@pytest.mark.parametrize(
    ("keep_last", "folded"),
    [
        pytest.param(0, [1, 2, 3], id="nothing recent is kept"),
        pytest.param(2, [1], id="the two newest rounds stay whole"),
        pytest.param(9, [], id="a short conversation is untouched"),
    ],
)
def test_only_older_rounds_are_folded_and_to_their_own_summary(keep_last: int, folded: list[int]) -> None:
    messages = [message for number in (1, 2, 3) for message in round_of(number, 200)]
    results = [
        m["content"] for m in fold_old_tool_rounds(messages, keep_last=keep_last) if m["role"] == "tool"
    ]
    assert [i for i, content in enumerate(results, 1) if "folded" in content] == folded
    assert all(f"Did {number}." in content for number, content in enumerate(results, 1))


def test_history_is_cut_before_a_user_message_and_the_newest_turn_stays() -> None:
    turns = [[{"role": "user", "content": f"u{number}"}, *round_of(number)] for number in range(4)]
    messages: list[Any] = [message for turn in turns for message in turn]
    assert trim_history(messages, max_messages=7) == messages[6:]
    assert trim_history(messages, max_messages=1) == messages[9:]
    assert trim_history(messages, max_tokens=count_messages_tokens(messages[3:])) == messages[3:]


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


def user(value: str) -> Any:
    return {"id": value[:8], "role": "user", "parts": [{"type": "text", "text": value}]}


def planned(conversation: Any, **options: Any) -> Any:
    budget = Budget(options.pop("window", 32_000), options.pop("reserve", 0), **options.pop("limits", {}))
    arguments: dict[str, Any] = {"system": "Rules.", "form": "full", "tools": [], "skills": {}, **options}
    return plan(conversation, budget=budget, **arguments)


def test_an_activated_skill_goes_to_the_model_with_its_message_and_stays_there() -> None:
    conversation = [user("/skill inpaint fix the face"), user("and now?")]
    assert named_skills(conversation) == ["inpaint"]
    content = planned(conversation, skills={"inpaint": "Mask first."}).messages[1]["content"]
    assert "Mask first." in content
    assert "fix the face" in content
    assert "/skill inpaint" not in content
    assert content.endswith("and now?")


def test_system_messages_that_a_client_posted_are_left_as_they_are_only_without_a_thread() -> None:
    conversation = [{"id": "s", "role": "system", "parts": [{"type": "text", "text": "Mine."}]}, user("hi")]
    assert planned(conversation, form="posted").messages[0] == {"role": "system", "content": "Mine."}
    assert planned(conversation).messages[0] == {"role": "system", "content": "Rules."}


def long_turn(rounds: int, size: int) -> list[Any]:
    parts: list[Any] = []
    for number in range(rounds):
        output = {"ok": True, "summary": f"Did {number}.", "data": "word " * size}
        done = {"state": "output-available", "input": {}, "output": output}
        parts += [STEP, {"type": "tool-look", "toolCallId": f"c{number}", **done}]
    return [user("the goal"), {"id": "a", "role": "assistant", "parts": parts}]


def test_a_long_turn_is_folded_before_anything_is_dropped() -> None:
    made = planned(long_turn(20, 300), window=8_000)
    assert made.tokens <= 8_000
    assert made.dropped_messages == 0
    assert made.folded_rounds >= 10
    assert made.messages[1] == {"role": "user", "content": "the goal"}
    assert "word word" in made.messages[-1]["content"]


def test_one_result_that_is_larger_than_the_window_is_shortened_and_says_so() -> None:
    made = planned(long_turn(1, 30_000), window=8_000)
    assert made.tokens <= 8_000
    assert made.shortened_results == 1
    assert "characters left out" in made.messages[-1]["content"]


def test_the_documented_limits_act_on_top_of_the_token_budget() -> None:
    turns = [
        message for number in range(20) for message in (user(f"question {number}"), *long_turn(1, 5)[1:])
    ]
    made = planned(turns, limits={"max_messages": 6, "keep_rounds": 1})
    assert len(made.messages) == 1 + 6
    assert made.folded_rounds == 19


@given(
    st.lists(
        st.tuples(st.text(max_size=400), st.integers(0, 4), st.integers(0, 400)), min_size=1, max_size=12
    ),
    st.sampled_from([1_500, 4_000, 8_000, 32_000]),
)
def test_a_request_fits_whatever_the_conversation(turns: Any, window: int) -> None:
    conversation = [
        message
        for number, (question, rounds, size) in enumerate(turns)
        for message in (
            user(f"{number} {question}"),
            {**long_turn(rounds, size)[1], "id": f"a{number}"},
        )
        if message["parts"]
    ]
    made = planned(conversation, window=window)
    assert made.tokens <= window
    assert made == planned(conversation, window=window)

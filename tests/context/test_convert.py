from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.context.convert import to_openai
from comfyui_assistant.engine.context.repeats import call_key, cycles
from hypothesis import given
from hypothesis import strategies as st

STEP = {"type": "step-start"}


def text(value: str) -> Any:
    return {"type": "text", "text": value}


def call(call_id: str, **fields: Any) -> Any:
    done = {"state": "output-available", "output": {"ok": True, "summary": call_id}}
    return {"type": "tool-addNode", "toolCallId": call_id, "input": {"type": "A"}, **done, **fields}


def user(*parts: Any) -> Any:
    return {"id": "u", "role": "user", "parts": list(parts)}


def assistant(*parts: Any) -> Any:
    return {"id": "a", "role": "assistant", "parts": list(parts)}


def shape(messages: Any) -> list[Any]:
    return [
        (message["role"], [made["id"] for made in message["tool_calls"]])
        if message.get("tool_calls")
        else (message["role"], message.get("tool_call_id") or message["content"])
        for message in messages
    ]


def test_each_step_becomes_its_own_assistant_message_followed_by_its_results() -> None:
    conversation = [
        user(text("go")),
        assistant(STEP, text("First."), call("c1"), call("c2"), STEP, call("c3"), STEP, text("Done.")),
        user(text("thanks")),
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


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"output": "plain"}, "plain", id="text goes as it is"),
        pytest.param({"output": {"a": "ä"}}, '{"a":"ä"}', id="an object goes as readable JSON"),
        pytest.param({"output": ""}, '""', id="an empty text is not empty content"),
        pytest.param(
            {"state": "output-error", "errorText": "No."}, '{"ok":false,"error":"No."}', id="an error"
        ),
        pytest.param(
            {"output": {"ok": False, "code": "stopped", "error": "No.", "hint": "Ask."}},
            '{"ok":false,"error":"No.","hint":"Ask."}',
            id="a failure goes without its code, which says no more than its sentence",
        ),
        pytest.param({"output": {"ok": True, "code": "a"}}, '"code":"a"', id="a code of another kind goes"),
        pytest.param({"state": "input-available"}, "Not run", id="a call that was never answered"),
        pytest.param({"state": "input-streaming"}, "Not run", id="a call that was never finished"),
    ],
)
def test_every_call_has_a_result(fields: Any, expected: str) -> None:
    messages = to_openai([user(text("go")), assistant(STEP, call("c1", **fields))])
    assert messages[-1]["role"] == "tool"
    assert expected in str(messages[-1]["content"])


def test_arguments_that_were_no_object_go_back_as_valid_json() -> None:
    broken = {key: value for key, value in call("c1", rawInput='{"type":').items() if key != "input"}
    made = to_openai([user(text("go")), assistant(STEP, broken)])[1]["tool_calls"][0]  # pyright: ignore
    assert json.loads(made["function"]["arguments"]) == {"invalidArguments": '{"type":'}


def test_the_providers_own_call_ids_go_back_verbatim_unless_they_repeat() -> None:
    own = {"callProviderMetadata": {"comfyuiAssistant": {"callId": "functions.addNode:0"}}}
    messages = to_openai([user(text("go")), assistant(STEP, call("c1", **own), STEP, call("c2", **own))])
    assert [shape([message])[0][1] for message in messages[1:]] == [
        ["functions.addNode:0"],
        "functions.addNode:0",
        ["c2"],
        "c2",
    ]


def test_images_and_files_of_a_user_message_go_along() -> None:
    image = {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,AAAA"}
    named = {**image, "filename": "input/red.png"}
    file = {"type": "file", "mediaType": "application/json", "url": "http://x/wf.json", "filename": "wf.json"}
    assert to_openai([user(text("look"), image, named, file)])[0]["content"] == [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "text", "text": '[Attached image: "input/red.png"]'},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "text", "text": '[Attached file: "wf.json", application/json]'},
    ]


def test_texts_of_an_answer_are_joined_and_an_unanswered_message_says_so() -> None:
    notice = {"type": "data-notice", "data": {}}
    conversation = [
        assistant(text("local help")),
        user(text("one")),
        user(text("two")),
        assistant(STEP, {"type": "reasoning", "text": "hm"}, text("A"), STEP, text("B"), notice),
    ]
    assert shape(to_openai(conversation)) == [
        ("user", "one"),
        ("assistant", "(This was not answered.)"),
        ("user", "two"),
        ("assistant", "A\n\nB"),
    ]


def test_pictures_of_a_result_follow_it_as_a_user_message_and_are_not_in_its_text() -> None:
    picture = {"url": "data:image/jpeg;base64,AAAA", "caption": "image 64x64, seed 1"}
    output = {"ok": True, "summary": "One image.", "data": {"images": [picture]}}
    _, _, result, shown = to_openai([user(text("go")), assistant(STEP, call("c1", output=output))])
    assert "base64" not in str(result["content"])
    assert shown == {
        "role": "user",
        "content": [
            {"type": "text", "text": "The images of these results:"},
            {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,AAAA"}},
            {"type": "text", "text": "image 64x64, seed 1"},
        ],
    }


states = st.sampled_from(
    ["output-available", "output-error", "input-available", "input-streaming", "output-denied"]
)
tools = st.builds(lambda number, state: call(f"c{number}", state=state), st.integers(0, 5), states)
parts = st.one_of(st.just(STEP), st.builds(text, st.text(max_size=5)), tools)
conversations = st.lists(
    st.one_of(
        st.builds(lambda value: user(text(value)), st.text(max_size=5)),
        st.lists(parts, max_size=8).map(lambda made: assistant(*made)),
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


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("aaa", 3),
        ("ab", 1),
        ("abab", 2),
        ("xababab", 3),
        ("aab", 1),
        ("abb", 2),
        ("abcabc", 1),
    ],
)
def test_repetition_is_counted_for_one_call_and_for_two_in_turn(keys: str, expected: int) -> None:
    assert cycles(list(keys)) == expected


def test_a_call_is_the_same_however_its_arguments_are_ordered_and_nested() -> None:
    assert call_key("look", {"a": {"x": 1, "y": 2}, "b": 3}) == call_key(
        "look", {"b": 3, "a": {"y": 2, "x": 1}}
    )
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    assert call_key("look", {"a": deep}) == call_key("look", {"a": deep})

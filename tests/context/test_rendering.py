from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.layout import CallIds, to_openai
from comfyui_assistant.engine.context.plan import Plan, plan
from comfyui_assistant.engine.context.rendering import Memo, Recent, RenderingMemo

from tests.context.conversations import turns

from .conversations import answer, call, file, text, user
from .planned import planned

URL = "data:image/png;base64,AAAA"
IMAGE = {"type": "file", "mediaType": "image/png", "url": URL}
NAMED = file("input/red.png", "image/png", URL)
PICTURE = {"url": URL, "caption": "image 64x64, seed 1"}
MADE = {"ok": True, "summary": "One image.", "data": {"images": [PICTURE]}}


def planned_with(conversation: Any, memo: RenderingMemo, **options: Any) -> Plan:
    return plan(conversation, Frame("Rules.", "full"), Budget(32_000, 0), memo=memo, **options)


def test_a_request_writes_only_what_is_new() -> None:
    conversation, memo = turns(20), RenderingMemo()
    before = planned_with(conversation[:-2], memo)
    after = planned_with(conversation, memo)
    assert after.messages[: len(before.messages)] == before.messages
    assert all(one is other for one, other in zip(before.messages[1:], after.messages[1:], strict=False))
    assert after.estimate == planned_with(conversation, RenderingMemo()).estimate


def test_what_two_requests_had_no_use_for_is_forgotten() -> None:
    recent: Recent[str, int] = Recent()
    recent.keep("a", 1)
    recent.keep("b", 2)
    recent.begin_request()
    assert recent.get("a") == 1
    recent.begin_request()
    assert (recent.get("a"), recent.get("b")) == (1, None)


def test_another_style_or_counter_begins_anew_and_mixes_with_nothing() -> None:
    memo: Memo[str] = Memo()
    plain = memo.for_style("plain")
    plain.keep("key", "in plain words")
    assert memo.for_counter("").for_style("plain").get("key") == "in plain words"
    fancy = memo.for_style("fancy")
    plain.keep("key", "written late")
    assert (fancy.get("key"), memo.for_style("fancy").get("key")) == (None, None)
    fancy.keep("key", "in fancy words")
    assert memo.for_counter("another").for_style("fancy").get("key") is None


def test_the_tools_of_another_list_are_written_anew() -> None:
    memo: Memo[str] = Memo()
    one, other = [{"name": "a"}], [{"name": "b"}]
    written = memo.texts_of_tools(one)
    assert memo.texts_of_tools(one) is written
    assert (memo.texts_of_tools(other), memo.texts_of_tools(one)) == (['{"name":"b"}'], ['{"name":"a"}'])


def shown_text(value: str) -> Any:
    return {"type": "text", "text": value}


def shown_image(url: str = URL) -> Any:
    return {"type": "image_url", "image_url": {"url": url}}


def made(call_id: str, own: Any) -> Any:
    return call(call_id, callProviderMetadata={"comfyuiAssistant": own})


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        pytest.param([call("c1"), call("c2")], ["c1", "c2"], id="ours, where the provider has none"),
        pytest.param([made("c1", {"callId": "f:0"})], ["f:0"], id="the provider's own"),
        pytest.param(
            [made("c1", {"callId": "f"}), made("c2", {"callId": "f"})], ["f", "c2"], id="repeated ones"
        ),
        pytest.param([call("c"), call("c"), call("c")], ["c", "c-2", "c-3"], id="even ours may come again"),
        pytest.param(
            [call("c-2"), call("c"), call("c")], ["c-2", "c", "c-3"], id="and look like one made up"
        ),
        pytest.param([made("c1", {"callId": ""}), made("c2", "odd")], ["c1", "c2"], id="what is no id"),
    ],
)
def test_every_call_has_an_id_of_its_own(calls: Any, expected: list[str]) -> None:
    ids = CallIds()
    assert [ids.claim(part) for part in calls] == expected


def test_a_call_and_its_result_go_back_under_the_providers_own_id_with_what_belongs_to_it() -> None:
    own = {"callId": "functions.look:0", "extraContent": {"signature": "abc"}}
    conversation = [user("u1"), answer("a1", [made("c1", own)], [made("c2", own)])]
    first, result, second, last = to_openai(conversation)[1:]
    assert first == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "functions.look:0",
                "type": "function",
                "function": {"name": "look", "arguments": "{}"},
                "extra_content": {"signature": "abc"},
            }
        ],
    }
    assert result["tool_call_id"] == "functions.look:0"
    assert [second["tool_calls"][0]["id"], last["tool_call_id"]] == ["c2", "c2"]


def test_images_and_files_of_a_user_message_go_along() -> None:
    other = file("wf.json", "application/json", "http://x/wf.json")
    [message] = to_openai([user("u1", "look", IMAGE, NAMED, other)])
    assert message["content"] == [
        shown_text("look"),
        shown_image(),
        shown_text('[Attached image: "input/red.png"]'),
        shown_image(),
        shown_text('[Attached file: "wf.json", application/json]'),
    ]


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/latest/meta-data", "https://x.test/a.png", "/api/view", ""]
)
def test_an_address_in_place_of_an_image_is_not_handed_to_whoever_would_fetch_it(url: str) -> None:
    [message] = to_openai([user("u1", "look", file("a.png", "image/png", url))])
    told = '[Attached image, not shown since only its name was sent: "a.png", image/png]'
    assert message["content"] == [shown_text("look"), shown_text(told)]


def test_a_model_that_sees_no_images_is_told_their_names() -> None:
    conversation = [user("u1", "look", IMAGE, NAMED), answer("a1", [call("c1", MADE)])]
    messages = planned(conversation, sees_images=False).messages
    assert messages[1]["content"] == [
        shown_text("look"),
        shown_text('[Attached image, not shown again: "unnamed", image/png]'),
        shown_text('[Attached image, not shown again: "input/red.png", image/png]'),
    ]
    assert messages[-1]["content"] == [
        shown_text("The images of these results:"),
        shown_text("[not shown: image 64x64, seed 1]"),
    ]


def test_pictures_of_a_result_follow_it_as_a_user_message_and_are_not_in_its_text() -> None:
    _, _, result, shown = to_openai([user("u1"), answer("a1", [call("c1", MADE)])])
    assert "base64" not in str(result["content"])
    assert shown == {
        "role": "user",
        "content": [
            shown_text("The images of these results:"),
            shown_image(),
            shown_text("image 64x64, seed 1"),
        ],
    }


@pytest.mark.parametrize(
    ("message", "content"),
    [
        pytest.param(user("u1", "hi", metadata={"reminder": "<r>"}), "hi\n\n<r>", id="behind the text"),
        pytest.param(
            user("u1", "hi", IMAGE, metadata={"reminder": "<r>"}),
            [shown_text("hi"), shown_image(), shown_text("<r>")],
            id="behind everything attached",
        ),
        pytest.param(user("u1", "hi", metadata={"reminder": 7}), "hi", id="one that is no text"),
        pytest.param(
            {"id": "u1", "role": "user", "parts": [text("")]}, "(an empty message)", id="no word at all"
        ),
    ],
)
def test_a_user_message_ends_with_the_reminder_that_it_was_sent_with(message: Any, content: Any) -> None:
    assert to_openai([message]) == [{"role": "user", "content": content}]


def test_what_was_thought_goes_with_the_calls_that_came_of_it() -> None:
    thought = {"type": "reasoning", "text": "Hm."}
    conversation = [user("u1"), answer("a1", [thought, text(" "), call("c1")], [thought, text("Done.")])]
    first, _, last = to_openai(conversation)[1:]
    assert (first["content"], first["reasoning_content"]) == (None, "Hm.")
    assert last == {"role": "assistant", "content": "Done."}


def test_a_call_that_repeats_itself_is_noted_behind_its_result() -> None:
    conversation = [user("u1"), answer("a1", *([call(f"c{number}", "no")] for number in range(3)))]
    results = [message["content"] for message in planned(conversation).messages if message["role"] == "tool"]
    assert results[:2] == ["no", "no"]
    assert results[2].startswith("no\nNote: this exact call has now been made 3 times")

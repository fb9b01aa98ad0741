"""Whatever a client posts is either refused with a typed code or makes a request that a provider accepts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.chat.incoming.request import (
    ChatBody,
    additions,
    answer_id,
    check_answerable,
)
from comfyui_assistant.engine.context.layout import to_openai
from comfyui_assistant.engine.http.body import parse_json
from comfyui_assistant.engine.store.log.event_log import fold
from hypothesis import given
from hypothesis import strategies as st

from ..cases import cases

texts = st.text(max_size=6)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def near(**fields: Any) -> Any:
    """An object with these fields, now and then with some of them missing or replaced by anything."""
    whole = st.fixed_dictionaries(dict(fields))
    broken = st.fixed_dictionaries({}, optional={name: made | json_values for name, made in fields.items()})
    return st.integers(0, 19).flatmap(lambda number: broken if number == 0 else whole)


parts = near(
    type=st.sampled_from(
        ["text", "step-start", "tool-addNode", "dynamic-tool", "reasoning", "file", "data-x"]
    ),
    text=texts,
    toolCallId=st.sampled_from(["c1", "c2", ""]),
    toolName=texts,
    state=st.sampled_from(["input-available", "output-available", "output-error", "odd"]),
    input=json_values,
    output=json_values,
    errorText=texts,
    url=texts,
    mediaType=texts,
    callProviderMetadata=near(comfyuiAssistant=near(callId=texts)),
)
messages = near(
    id=st.sampled_from(["u1", "u2", "a1", "a2"]),
    role=st.sampled_from(["user", "assistant", "system"]),
    parts=st.lists(parts, max_size=4),
    metadata=json_values,
)
bodies = near(
    id=texts,
    messages=st.lists(messages, max_size=5),
    trigger=st.sampled_from(["submit-message", "regenerate-message"]),
    messageId=st.sampled_from(["u1", "a1", "gone"]),
    parentId=st.sampled_from(["u1", "a1", "gone"]) | st.none(),
)


@pytest.mark.slow
@cases(150)
@given(bodies, st.lists(bodies, max_size=3))
def test_any_sequence_of_requests_is_refused_or_answered(body: Any, earlier: list[Any]) -> None:
    log: list[Any] = []
    refusals: list[RequestError] = []
    for posted in [*earlier, body]:
        try:
            asked = ChatBody.read(parse_json(json.dumps(posted).encode())).request()
            to_openai(asked.messages)
            known = fold(log)
            events = additions(asked, known)
            conversation = fold(events, known)
            check_answerable(conversation, has_news=bool(events))
            log += events
        except RequestError as error:
            refusals.append(error)
            continue
        assert conversation == fold(log)
        sent = to_openai(conversation)
        json.dumps(sent, allow_nan=False).encode()
        assert sent[0]["role"] == "user"
        assert answer_id(conversation)
    assert all(refusal.code and refusal.message and refusal.hint for refusal in refusals)

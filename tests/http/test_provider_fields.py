from __future__ import annotations

from typing import Any

import pytest

from ..running_assistant import RunningAssistant

HERE, PROVIDERS = "http://127.0.0.1:9/v1", "/assistant/providers"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"baseUrl": "h:11434"}, "invalid_request"),
        ({"baseUrl": ""}, "invalid_request"),
        ({"apiKey": "сk"}, "invalid_request"),
        ({"window": 12}, "invalid_request"),
        ({"window": "many"}, "invalid_request"),
        ({"window": True}, "invalid_request"),
        ({"vision": "yes"}, "invalid_request"),
        ({"profile": "tiny"}, "invalid_request"),
        ({"price": {"input": 1}}, "invalid_request"),
        ({"price": {"input": -1, "output": 2}}, "invalid_request"),
        ({"name": "x" * 81}, "invalid_request"),
        ({"effort": "huge"}, "invalid_request"),
        ({"effort": 2}, "invalid_request"),
        ({"temperature": 2.1}, "invalid_request"),
        ({"temperature": "warm"}, "invalid_request"),
        ({"temperature": True}, "invalid_request"),
        ({"dropsSystem": "yes"}, "invalid_request"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_saved(
    assistant: RunningAssistant, fields: Any, code: str
) -> None:
    refused = await assistant.call("POST", PROVIDERS, {"baseUrl": HERE, **fields})
    assert (refused.status, refused.error_code) == (400, code)
    assert (await assistant.call("GET", PROVIDERS)).json["providers"] == []


async def test_the_cached_part_of_the_input_costs_as_much_as_the_rest_where_nothing_else_is_said(
    assistant: RunningAssistant,
) -> None:
    body = {"baseUrl": HERE, "price": {"input": 2, "output": 8}}
    added = await assistant.call("POST", PROVIDERS, body)
    assert added.json["entered"] == {"price": {"input": 2, "cached": 2, "output": 8}}

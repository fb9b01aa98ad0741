"""Whether asking again may help, and what an error in the middle of a reply stands for."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.refusals.refusals import Refusal, no_reply_in_time, refusal_in_reply

ENDPOINT = Endpoint("http://h/v1", "m")
PASSING = ProviderError("provider_failed", "It failed.", retryable=True)
LASTING = ProviderError("key_refused", "No.")
NOBODY = ProviderError("provider_unreachable", "Nothing answers.", retryable=True)


@pytest.mark.parametrize(
    ("refusal", "waits"),
    [
        pytest.param(Refusal(PASSING), [0.5, 1.0, None], id="twice, the second time later"),
        pytest.param(Refusal(PASSING, retry_after=7.0), [7.0, 7.0, None], id="as long as the endpoint says"),
        pytest.param(Refusal(PASSING, retry_after=61.0), [None] * 3, id="not for longer than a minute"),
        pytest.param(
            Refusal(PASSING, may_retry=False), [None] * 3, id="not where the status speaks against it"
        ),
        pytest.param(Refusal(LASTING), [None] * 3, id="not after a lasting refusal"),
        pytest.param(Refusal(NOBODY), [None] * 3, id="not where nobody answers"),
        pytest.param(no_reply_in_time(ENDPOINT, 120), [None] * 3, id="not after a long silence"),
    ],
)
def test_a_request_is_sent_again_only_where_that_may_help(refusal: Refusal, waits: Any) -> None:
    assert [refusal.wait_before(retry) for retry in (1, 2, 3)] == waits


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": 429, "message": "Slow down."}, "rate_limited"),
        ({"code": "503", "message": "Overloaded."}, "provider_failed"),
        ({"code": "bad_request", "message": "No."}, "provider_refused"),
        ({"message": "the request exceeds the available context size (8192 tokens)"}, "context_overflow"),
        ("crashed", "provider_refused"),
    ],
)
def test_an_error_inside_a_reply_means_what_its_own_code_says(error: Any, code: str) -> None:
    assert refusal_in_reply(error, ENDPOINT).failure.code == code

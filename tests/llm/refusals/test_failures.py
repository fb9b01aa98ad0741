from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.refusals import failures


def test_a_person_is_quoted_the_beginning_and_a_program_reads_the_whole_without_the_key() -> None:
    key = Secret("sk-canary-0123456789")
    words = f"{key.reveal()} " + "word " * 10_000
    failure = failures.failure_of(400, {"message": words}, base_url="http://h/v1", model="m", key=key)
    assert len(failure.message) < 400
    assert len(failure.provider_message) == 8_000
    assert "canary" not in failure.message + failure.provider_message


@pytest.mark.parametrize(
    ("status", "point", "code"),
    [
        (429, "You exceeded your current quota.", "quota_exhausted"),
        (429, "Your quota: 20 requests per minute.", "rate_limited"),
        (400, "This model does not support tools.", "no_tool_support"),
        (404, "Learn more about our models.", "not_a_model_server"),
        (405, "Method Not Allowed", "not_a_model_server"),
    ],
)
def test_the_point_may_come_late_but_for_a_whole_page(status: int, point: str, code: str) -> None:
    words = "We are sorry to say this. " * 16 + point
    failure = failures.failure_of(status, words, base_url="http://h/v1", model="m", key=Secret(""))
    assert failure.code == code


@pytest.mark.parametrize(
    "words",
    [
        "model requires more system memory (9.1 GiB) than is available (5.2 GiB)",
        "llama runner process has terminated: cudaMalloc failed: out of memory",
        "Model loading was stopped due to insufficient system resources.",
        "CUDA error: out of memory",
    ],
)
def test_a_server_without_memory_for_its_model_is_named_as_such(words: str) -> None:
    failure = failures.failure_of(500, {"message": words}, base_url="http://h/v1", model="m", key=Secret(""))
    assert (failure.code, failure.retryable) == ("model_out_of_memory", True)


@pytest.mark.parametrize(
    ("headers", "said", "expected"),
    [
        ({"retry-after": "3"}, "", 3.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, "", 1.5),
        ({"retry-after": "-4"}, "", 0.0),
        ({}, "try again in ...s", None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, "try again in 5.289s", 5.289),
        ({}, "Please try again in 250ms.", 0.25),
        ({}, "later", None),
    ],
)
def test_the_time_to_wait_is_read_from_headers_or_words(
    headers: Any, said: str, expected: float | None
) -> None:
    assert failures.retry_after(headers, said) == expected


@pytest.mark.parametrize(
    ("base_url", "advice"),
    [
        ("http://127.0.0.1:11434/v1", "Start the model server"),
        ("http://192.168.1.20:8080/v1", "Start the model server"),
        ("https://api.openai.com/v1", "Check the internet connection"),
    ],
)
def test_who_reaches_nobody_is_told_to_start_only_what_may_be_theirs(base_url: str, advice: str) -> None:
    assert failures.unreachable(base_url).hint.startswith(advice)

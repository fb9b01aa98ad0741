from __future__ import annotations

import json
from itertools import pairwise

import pytest

from bench.agentic_thread import agentic_thread
from bench.llama_server import Prompt, prompt_of
from bench.local_cache import Thread, figures

REPLY = [
    b'data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}]}\n',
    b"\n",
    b'data: {"choices":[],"usage":{"completion_tokens":1,"prompt_tokens":358,"prompt_tokens_details":'
    b'{"cached_tokens":300}},"timings":{"cache_n":300,"prompt_n":58}}\n',
    b"\n",
    b"data: [DONE]\n",
]


def thread(*prompts: Prompt, milliseconds: list[float]) -> Thread:
    return Thread([*prompts], milliseconds)


def test_the_servers_own_account_of_a_prompt_is_read() -> None:
    prompt = prompt_of(REPLY)
    assert (prompt, prompt.evaluated) == (Prompt(tokens=358, cached=300), 58)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(REPLY[:1], "no usage", id="without a usage"),
        pytest.param(
            [REPLY[2].replace(b'"prompt_n":58', b'"prompt_n":358')], "does not agree", id="of two minds"
        ),
    ],
)
def test_a_reply_that_does_not_tell_is_no_measurement(reply: list[bytes], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        prompt_of(reply)


def test_long_prompts_weigh_more_in_the_cached_share_than_short_ones() -> None:
    assert thread(Prompt(100, 0), Prompt(300, 200), milliseconds=[]).cached_percent == 50


@pytest.mark.parametrize(
    ("cached", "milliseconds", "missed"),
    [
        pytest.param(80, 100.0, 0, id="more cached and quicker"),
        pytest.param(20, 100.0, 1, id="not more cached"),
        pytest.param(80, 900.0, 1, id="not quicker"),
    ],
)
def test_our_plan_has_to_win_in_both(cached: int, milliseconds: float, missed: int) -> None:
    found = figures(
        thread(Prompt(100, cached), milliseconds=[milliseconds]),
        thread(Prompt(100, 20), milliseconds=[1_000.0]),
    )
    assert sum(figure.reached is False for figure in found) == missed


def test_the_thread_is_the_same_in_every_run_and_goes_on_from_request_to_request() -> None:
    requests = list(agentic_thread().requests())
    assert json.dumps(requests) == json.dumps(list(agentic_thread().requests()))
    assert len(requests) == 30
    parts = [[part for message in request for part in message["parts"]] for request in requests]
    assert all(later[: len(earlier)] == earlier and later != earlier for earlier, later in pairwise(parts))
    assert sum(request[-1]["role"] == "user" for request in requests) == 10

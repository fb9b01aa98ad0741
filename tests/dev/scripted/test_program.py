"""A program in the place of a scenario."""

from __future__ import annotations

import json
import urllib.request

from dev.scripted.provider import ScriptedProviderThread
from dev.scripted.scenario import Say, Step


def test_a_program_answers_with_what_it_makes_of_the_request() -> None:
    def count(body: dict) -> Step:
        return Step(reply=[Say(say=f"{len(body['messages'])} message")])

    with ScriptedProviderThread(program=count) as provider:
        body = {"model": "scripted", "messages": [{"role": "user", "content": "hello"}]}
        request = urllib.request.Request(
            f"{provider.base_url}/chat/completions",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": "Bearer key"},
        )
        with urllib.request.urlopen(request, timeout=10) as reply:
            answer = json.load(reply)

    assert answer["choices"][0]["message"]["content"] == "1 message"

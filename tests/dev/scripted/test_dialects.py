from __future__ import annotations

import pytest

from dev.scripted.provider import ScriptedProvider
from dev.scripted.scenario import Attempts, Step
from dev.scripted.scenario_files import load_scenario, scenario_names

from .reading import read_reply


def first_step(name: str) -> Step:
    place = load_scenario(name).turns[0].steps[0]
    return place.attempts[0] if isinstance(place, Attempts) else place


WITH_EXPECTATION = [name for name in scenario_names() if getattr(first_step(name), "reads_as", None)]


@pytest.mark.slow
@pytest.mark.parametrize("chunking", ["events", "whole", "bytes", "random:1"])
@pytest.mark.parametrize("name", WITH_EXPECTATION)
async def test_our_reader_makes_the_same_of_a_scenario_however_its_bytes_are_cut(name, chunking):
    expected = first_step(name).reads_as
    async with ScriptedProvider(name, chunking=chunking, pace=0) as provider:
        options = {"stream_options": None} if "q21" in name else {}
        reply = await read_reply(provider.base_url, [{"role": "user", "content": "hello"}], **options)
    assert (reply.text.strip(), reply.reasoning.strip()) == (expected.text, expected.reasoning)
    assert reply.calls == [(call.name, call.arguments) for call in expected.calls]
    if expected.error:
        assert expected.error in (reply.error or "")
    elif expected.cut_off:
        assert reply.reason is None
    else:
        assert reply.error is None
    if expected.reason:
        assert reply.reason == expected.reason

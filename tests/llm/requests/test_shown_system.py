"""Servers that take a system message and do not show it to the model, and those that only count in another way."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.events import Notice, TextDelta
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.requests.learned_rules import LearnedRules
from comfyui_assistant.engine.llm.requests.shown_system import SYSTEM_DROPPED

from dev.scripted.provider import ScriptedProvider

from ..states_in_memory import StatesInMemory

RULES = "You edit the open workflow, and say what you did. " * 60
SCHEMA = {"type": "object", "properties": {}}
TOOLS = [
    {
        "type": "function",
        "function": {"name": f"tool{number}", "description": "Word. " * 150, "parameters": SCHEMA},
    }
    for number in range(4)
]
ASKED: list[Any] = [{"role": "system", "content": RULES}, {"role": "user", "content": "hello"}]
LATER: list[Any] = [*ASKED, {"role": "assistant", "content": "Here."}, {"role": "user", "content": "more"}]


def scenario(counts: str, **step: Any) -> dict[str, Any]:
    reply = {"reply": [{"say": ["He", "re."]}], **step}
    return {"about": "A test.", "counts": counts, "steps": [reply], "after": "repeat"}


async def ask(
    provider: ScriptedProvider, states: StatesInMemory, messages: Any = ASKED, **options: Any
) -> list[Notice]:
    """One reply, by a client that was just started; the notices beside it."""
    client = ChatClient(rules=LearnedRules(states))
    endpoint = Endpoint(provider.base_url, "small", is_local=True, **options)
    events = [event async for event in client.stream(endpoint, messages, TOOLS)]
    await client.close()
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Here."
    return [event for event in events if isinstance(event, Notice)]


def asked(provider: ScriptedProvider) -> list[list[dict[str, Any]]]:
    """The messages of each request for an answer."""
    return [request.messages for request in provider.asked]


def questions(provider: ScriptedProvider) -> int:
    """Requests that only ask how the server counts."""
    return len(provider.requests) - len(provider.asked)


@pytest.mark.parametrize("chunking", ["events", "whole", "bytes", "random:1"])
async def test_a_server_that_drops_system_messages_is_noticed_once_and_gets_them_with_the_first_message(
    chunking: str,
) -> None:
    states = StatesInMemory()
    async with ScriptedProvider(scenario("no-system"), chunking=chunking, pace=0) as provider:
        assert await ask(provider, states) == [SYSTEM_DROPPED]
        assert questions(provider) == 2
        assert await ask(provider, states) == []
        assert await ask(provider, states, LATER) == []
        assert questions(provider) == 2
        dropped, first, later = asked(provider)
        assert dropped == ASKED
        assert first == [{"role": "user", "content": f"{RULES}\n\nhello"}]
        assert later == [*first, *LATER[2:]]
        rules = LearnedRules(states)
        note = await rules.note(provider.base_url, "small")
        assert note is not None
        assert note.words.startswith(
            "Learned from what this server counts: it takes system messages and does"
        )
        await rules.forget(provider.base_url, "small")
        assert await ask(provider, states) == [SYSTEM_DROPPED]


@pytest.mark.parametrize(
    ("counts", "step", "expected_questions"),
    [
        pytest.param("all", {}, 0, id="counts all"),
        pytest.param("uncached", {}, 1, id="leaves out what its cache had"),
        pytest.param("all", {"usage": {"prompt_tokens": 1_024, "completion_tokens": 1}}, 1, id="cuts"),
        pytest.param(
            "all", {"usage": {"prompt_tokens": 7, "completion_tokens": 1}}, 1, id="counts one message"
        ),
        pytest.param("all", {"usage": {"prompt_tokens": 0, "completion_tokens": 1}}, 0, id="counts nothing"),
        pytest.param("all", {"usage": "none"}, 0, id="says nothing"),
    ],
)
async def test_a_server_that_counts_in_another_way_keeps_its_system_messages(
    counts: str, step: dict[str, Any], expected_questions: int
) -> None:
    states = StatesInMemory()
    async with ScriptedProvider(scenario(counts, **step), pace=0) as provider:
        if counts == "uncached":
            # As for a server that was in use before anything was learned of it.
            await ask(provider, StatesInMemory())
        for messages in (ASKED, LATER, ASKED):
            assert await ask(provider, states, messages) == []
        assert all(messages[0]["role"] == "system" for messages in asked(provider))
        assert questions(provider) == expected_questions
        assert await LearnedRules(states).note(provider.base_url, "small") is None


async def test_nothing_is_asked_where_the_rules_go_otherwise_or_are_short() -> None:
    states = StatesInMemory()
    async with ScriptedProvider(scenario("no-system"), pace=0) as provider:
        assert await ask(provider, states, drops_system=True) == []
        assert await ask(provider, states, [{"role": "system", "content": "You help."}, ASKED[1]]) == []
        assert questions(provider) == 0


async def test_what_asking_teaches_otherwise_is_kept_too() -> None:
    states = StatesInMemory()
    refusing = {**scenario("no-system"), "rules": ["max-completion-tokens"]}
    async with ScriptedProvider(refusing, pace=0) as provider:
        assert await ask(provider, states) == [SYSTEM_DROPPED]
        rules = await LearnedRules(states).of(provider.base_url, "small")
    assert (rules.shows_system, rules.wants_max_completion_tokens) == (False, True)


async def test_a_server_that_refuses_to_be_asked_keeps_its_system_messages_and_the_answer_is_whole() -> None:
    states = StatesInMemory()
    async with ScriptedProvider({**scenario("no-system"), "rules": ["no-short-replies"]}, pace=0) as provider:
        assert await ask(provider, states) == []
        assert (await LearnedRules(states).of(provider.base_url, "small")).shows_system is True

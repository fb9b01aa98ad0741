"""What endpoints taught holds beyond a restart, for a week, until it is forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.requests.endpoint_rule_store import EndpointRuleStore
from comfyui_assistant.engine.llm.requests.endpoint_rules import EndpointRules
from comfyui_assistant.engine.store.model_states import Key, ModelStates

HERE = ("http://127.0.0.1:1/v1", "small")
MISTRAL = ("https://api.mistral.ai/v1", "small")


async def test_rules_outlive_a_restart_for_a_week_and_each_endpoint_has_its_own() -> None:
    states, now = ModelStates(), [1_000.0]
    rules = EndpointRules(has_no_system_role=True, most_images=2)
    await EndpointRuleStore(states, clock=lambda: now[0]).keep(*HERE, rules)
    again = EndpointRuleStore(states, clock=lambda: now[0])
    assert await again.of(*HERE) == rules
    assert await again.of(HERE[0], "large") == EndpointRules()
    assert await again.of(*MISTRAL) == EndpointRules(bridges_results=True)
    now[0] += 6 * 86_400
    assert await again.of(*HERE) == rules
    now[0] += 2 * 86_400
    assert await again.of(*HERE) == EndpointRules()


async def test_two_processes_on_one_store_learn_from_each_other() -> None:
    states = ModelStates()
    one, other = EndpointRuleStore(states), EndpointRuleStore(states)
    assert await other.of(*HERE) == EndpointRules()
    await one.keep(*HERE, EndpointRules(refuses_tools=True))
    assert await other.of(*HERE) == EndpointRules(refuses_tools=True)
    await other.forget(*HERE)
    assert await one.of(*HERE) == EndpointRules()


async def test_what_was_learned_is_told_in_words_and_can_be_forgotten() -> None:
    states = ModelStates()
    learned = EndpointRuleStore(states, clock=lambda: 5.0)
    assert await learned.note(*HERE) is None
    await learned.keep(*HERE, EndpointRules(sends_calls=True))
    assert await learned.note(*HERE) is None
    await learned.keep(*HERE, EndpointRules(has_no_system_role=True, most_images=0))
    note = await learned.note(*HERE)
    assert note is not None
    assert note.words == "Learned from what this server refused: it has no system role, it takes no images."
    assert note.learned_at == 5.0
    await learned.forget(*HERE)
    assert await learned.note(*HERE) is None
    assert await EndpointRuleStore(states).of(*HERE) == EndpointRules()


async def test_refused_parameters_are_told_kept_and_forgotten() -> None:
    states = ModelStates()
    rules = EndpointRules(refused_parameters=("temperature 0.2",))
    await EndpointRuleStore(states).keep(*HERE, rules)
    again = EndpointRuleStore(states)
    assert await again.of(*HERE) == rules
    note = await again.note(*HERE)
    assert note is not None
    assert note.words == "Learned from what this server refused: it refuses temperature 0.2."
    await again.forget(*HERE)
    assert await again.of(*HERE) == EndpointRules()


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({}, EndpointRules()),
        ({"rules": 1, "learned_at": 1}, EndpointRules()),
        ({"rules": {"refuses_tools": True}, "learned_at": "then"}, EndpointRules()),
        (
            {"rules": {"refuses_tools": True, "later_rule": True, "most_images": "x"}, "learned_at": 1.0},
            EndpointRules(refuses_tools=True),
        ),
        ({"rules": {"refused_parameters": "all"}, "learned_at": 1}, EndpointRules()),
        ({"rules": {"refuses_tools": 1, "most_images": 3}, "learned_at": 1}, EndpointRules(most_images=3)),
    ],
)
async def test_what_another_version_kept_is_read_as_far_as_it_is_known(
    state: dict[str, Any], expected: EndpointRules
) -> None:
    states = ModelStates()
    await states.save(Key("rules", *HERE), state)
    assert await EndpointRuleStore(states, clock=lambda: 2.0).of(*HERE) == expected

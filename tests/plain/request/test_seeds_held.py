from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.node_orders import node_orders
from comfyui_assistant.engine.plain.request.seeds_held import seeds_held

from ..workflows import DEFAULT, ENVIRONMENT, node, workflow

ROLLING = workflow(
    node(3, "KSampler", seed=1, steps=20, control_after_generate="randomize"),
    node(5, "EmptyLatentImage", width=512, height=512, batch_size=1),
)


@pytest.mark.parametrize(
    ("request_", "way"),
    [
        ("fix the seed", "fixed"),
        ("keep the same seed", "fixed"),
        ("use the same seed every time", "fixed"),
        ("don't change the seed", "fixed"),
        ("behalte den Seed", "fixed"),
        ("set the seed to fixed", "fixed"),
        ("use a new seed every time", "randomize"),
        ("random seed for each run", "randomize"),
        ("randomize the seed after every run", "randomize"),
        ("unlock the seed", "randomize"),
    ],
)
def test_what_becomes_of_the_seed_after_each_run_is_set(request_: str, way: str) -> None:
    orders = node_orders(ROLLING, ENVIRONMENT, request_)
    assert orders is not None
    held = {"op": "set", "nodes": ["3"], "widgets": {"control_after_generate": way}}
    assert (orders.operations, orders.rest) == ((held,), "")


@pytest.mark.parametrize(
    "request_",
    ["fix the seed to 42", "lock the seed at 42", "Seed fest auf 42", "fixe la graine à 42"],
)
def test_a_seed_is_set_and_kept_at_once(request_: str) -> None:
    orders = node_orders(ROLLING, ENVIRONMENT, request_)
    assert orders is not None
    assert orders.operations == (
        {"op": "set", "nodes": ["3"], "widgets": {"seed": 42}},
        {"op": "set", "nodes": ["3"], "widgets": {"control_after_generate": "fixed"}},
    )


def test_a_seed_that_a_subgraph_hands_in_is_set_there_and_kept_inside() -> None:
    sampler = node(3, "KSampler", {"seed": "input"}, steps=20, control_after_generate="randomize")
    inner = {"key": "S1", "name": "Text to Image", "inputs": [{"name": "seed"}], "nodes": [sampler]}
    orders = node_orders(
        workflow(node(75, "S1", seed=1), subgraphs=[inner]), ENVIRONMENT, "fix the seed to 42"
    )
    assert orders is not None
    assert orders.operations == (
        {"op": "set", "nodes": ["75"], "widgets": {"seed": 42}},
        {"op": "set", "nodes": ["75:3"], "widgets": {"control_after_generate": "fixed"}},
    )


@pytest.mark.parametrize(
    ("request_", "rest"),
    [
        ("set the steps to 30 but keep the seed", "set the steps to 30"),
        ("keep the seed but change steps to 12", "change steps to 12"),
        ("dont change the seed, use 30 steps", "use 30 steps"),
    ],
)
def test_what_is_said_beside_a_kept_seed_is_left(request_: str, rest: str) -> None:
    orders = node_orders(ROLLING, ENVIRONMENT, request_)
    assert orders is not None
    assert orders.rest == rest


def test_of_several_seeds_none_is_given_one_number() -> None:
    samplers = [node(each, "KSampler", seed=each, control_after_generate="randomize") for each in (1, 2)]
    assert seeds_held(workflow(*samplers), "fix the seed to 42") is None


@pytest.mark.parametrize(
    "request_",
    [
        *("new seed", "random seed", "what seed is it?", "keep the size"),
        *("keep the seed of the first sampler", "is the seed fixed?", "fix it"),
    ],
)
def test_other_wishes_about_seeds_are_not(request_: str) -> None:
    assert seeds_held(ROLLING, request_) is None


def test_what_else_is_said_stays() -> None:
    orders = node_orders(ROLLING, ENVIRONMENT, "fix the seed and set the steps to 5")
    assert orders is not None
    assert orders.rest == "set the steps to 5"


def test_a_workflow_whose_seeds_stay_as_they_are_has_nothing_to_set() -> None:
    assert seeds_held(DEFAULT, "fix the seed") is None

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.tokens import Calibration, first_calibration
from comfyui_assistant.engine.llm.learned import (
    Adjustment,
    EndpointRuleStore,
    Learned,
    TokenCalibrations,
    WindowEstimates,
)
from comfyui_assistant.engine.llm.requests.request_body import EndpointRules
from comfyui_assistant.engine.llm.tokenizer import Tokenizer
from comfyui_assistant.engine.store.model_states import Key, ModelStates

HERE = ("http://127.0.0.1:1/v1", "small")

LOCAL = ("http://127.0.0.1:8080/v1", "small")
DAY = 86_400

MISTRAL = ("https://api.mistral.ai/v1", "small")


async def test_what_was_learned_is_told_in_one_note_and_forgotten_together_but_for_the_window() -> None:
    learned = Learned(counts=TokenCalibrations(clock=lambda: 7.0), rules=EndpointRuleStore(clock=lambda: 5.0))
    assert await learned.note(*HERE) is None
    await learned.windows.learn(*HERE, 8_000, "a request that was too long")
    await learned.counts.keep(*HERE, Calibration(1.04, 31))
    counts = "Learned from 31 answers: this model counts 4 % more tokens than we estimate."
    assert await learned.note(*HERE) == Adjustment(counts, 7.0)
    await learned.rules.keep(*HERE, EndpointRules(refuses_tools=True))
    assert await learned.note(*HERE) == Adjustment(
        f"Learned of this server: it takes no tools. {counts}", 7.0
    )
    await learned.forget_rules(*HERE)
    assert await learned.note(*HERE) is None
    assert await learned.windows.earlier(*HERE) == 8_000


@pytest.fixture
def states() -> ModelStates:
    return ModelStates()


class NamedTokenizer(Tokenizer):
    name = "estimate"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


async def held(windows: WindowEstimates) -> int | None:
    window = await windows.get(*LOCAL)
    return window.window if window else None


async def test_only_a_smaller_window_replaces_what_was_learned(states: ModelStates) -> None:
    windows = WindowEstimates(states)
    assert await held(windows) is None
    await windows.learn(*LOCAL, 16_384, "an overflow error")
    assert (await windows.learn(*LOCAL, 32_768, "another")).window == 16_384
    await windows.learn(*LOCAL, 8_192, "a cut reply")
    learned = await windows.get(*LOCAL)
    assert learned is not None
    assert (learned.window, learned.source) == (8_192, "a cut reply")
    assert await windows.get(LOCAL[0], "other") is None


async def test_a_forgotten_window_is_learned_anew(states: ModelStates) -> None:
    windows = WindowEstimates(states)
    await windows.learn(*LOCAL, 4_096, "an overflow error")
    await windows.forget(*LOCAL)
    assert await held(windows) is None
    assert await windows.earlier(*LOCAL) is None
    assert (await windows.learn(*LOCAL, 32_768, "an overflow error")).window == 32_768


async def test_a_window_holds_for_a_week_and_is_remembered_as_the_one_to_try_first(
    states: ModelStates,
) -> None:
    clock = Clock()
    windows = WindowEstimates(states, clock=clock)
    await windows.learn(*LOCAL, 8_192, "an overflow error")
    clock.now += 6.9 * DAY
    assert await held(windows) == 8_192
    clock.now += DAY
    assert await held(windows) is None
    assert await windows.earlier(*LOCAL) == 8_192
    assert (await windows.learn(*LOCAL, 65_536, "an overflow error")).window == 65_536


async def test_another_process_at_the_same_store_knows_what_was_learned(states: ModelStates) -> None:
    clock = Clock()
    one, other = WindowEstimates(states, clock=clock), WindowEstimates(states, clock=clock)
    assert await held(other) is None
    clock.now += 10
    await one.learn(*LOCAL, 8_192, "an overflow error")
    assert await held(other) == 8_192
    await one.forget(*LOCAL)
    clock.now += 5
    assert await held(other) is None


async def test_only_the_window_that_is_released_holds_no_longer(states: ModelStates) -> None:
    clock = Clock()
    windows = WindowEstimates(states, clock=clock)
    await windows.learn(*LOCAL, 8_192, "an overflow error")
    await windows.learn(LOCAL[0], "other", 8_192, "an overflow error")
    clock.now += 10
    windows.release(LOCAL[0], "other")
    assert await held(windows) == 8_192
    assert await windows.get(LOCAL[0], "other") is None
    assert (await windows.learn(LOCAL[0], "other", 9_000, "an overflow error")).window == 9_000


async def test_a_window_that_was_named_grows_after_a_day_until_it_is_named_again(
    states: ModelStates,
) -> None:
    clock = Clock()
    windows = WindowEstimates(states, clock=clock)
    await windows.learn(*LOCAL, 8_000, "an overflow error")
    clock.now += DAY - 1
    await windows.grow(*LOCAL, used=6_000, share=0.8)
    assert await held(windows) == 8_000
    clock.now += 1
    await windows.grow(*LOCAL, used=3_000, share=0.5)
    assert await held(windows) == 8_000
    await windows.grow(*LOCAL, used=6_000, share=0.8)
    assert await held(windows) == 9_000
    await windows.learn(*LOCAL, 8_000, "an overflow error")
    await windows.grow(*LOCAL, used=6_000, share=0.8)
    assert await held(windows) == 8_000


async def test_a_window_of_an_earlier_process_does_not_hold(states: ModelStates) -> None:
    await WindowEstimates(states).learn(*LOCAL, 8_192, "an overflow error")
    windows = WindowEstimates(states)
    assert await held(windows) is None
    assert await windows.earlier(*LOCAL) == 8_192


@pytest.mark.parametrize(
    ("refused", "used", "share", "window"),
    [
        pytest.param(None, 7_000, 0.9, 8_000, id="named: what fits it proves nothing"),
        pytest.param(None, 8_400, 1.0, 8_400, id="named, and more was read"),
        pytest.param(12_000, 3_000, 0.5, 8_000, id="tried: a small request proves nothing"),
        pytest.param(12_000, 6_000, 0.8, 9_000, id="tried: one that filled it lets it grow by a step"),
        pytest.param(9_000, 6_000, 0.8, 8_437, id="not up to what was refused"),
        pytest.param(8_100, 6_000, 0.8, 8_000, id="never smaller"),
    ],
)
async def test_a_window_grows_by_what_succeeds(
    states: ModelStates, refused: int | None, used: int, share: float, window: int
) -> None:
    windows = WindowEstimates(states)
    await windows.learn(*LOCAL, 8_000, "an overflow error", refused=refused)
    await windows.grow(*LOCAL, used=used, share=share)
    assert await held(windows) == window


async def test_nothing_grows_where_nothing_was_learned(states: ModelStates) -> None:
    windows = WindowEstimates(states)
    await windows.grow(*LOCAL, used=50_000, share=1.0)
    assert await held(windows) is None


@pytest.mark.parametrize("state", [{}, {"window": "large", "source": "x", "learned_at": 1.0}])
async def test_what_another_version_kept_and_nobody_can_read_is_nothing(
    states: ModelStates, state: dict[str, Any]
) -> None:
    await states.save(Key("window", *LOCAL), state)
    assert await WindowEstimates(states).earlier(*LOCAL) is None


@pytest.mark.parametrize(
    ("calibration", "words"),
    [
        (
            Calibration(1.04, 31),
            "Learned from 31 answers: this model counts 4 % more tokens than we estimate.",
        ),
        (Calibration(0.9, 1), "Learned from 1 answer: this model counts 10 % fewer tokens than we estimate."),
        (Calibration(1.001, 2), "Learned from 2 answers: this model counts as many tokens as we estimate."),
    ],
)
async def test_what_answers_taught_is_told_and_can_be_forgotten(calibration: Calibration, words: str) -> None:
    states = ModelStates()
    tokenizer = NamedTokenizer()
    counts = TokenCalibrations(states, tokenizer, clock=lambda: 7.0)
    assert await counts.note(*HERE) is None
    await counts.keep(*HERE, calibration)
    again = TokenCalibrations(states, tokenizer)
    assert await again.of(*HERE) == calibration
    assert await again.note(*HERE) == Adjustment(words, 7.0)
    tokenizer.name = "another"
    assert await again.note(*HERE) is None
    tokenizer.name = "estimate"
    await again.forget(*HERE)
    assert await again.note(*HERE) is None
    assert await again.of(*HERE) == first_calibration("small")


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
    await learned.keep(*HERE, EndpointRules(has_no_system_role=True, writes_calls=True, most_images=0))
    note = await learned.note(*HERE)
    assert note is not None
    assert note.words == (
        "Learned of this server: it passes the model's calls on as text, it has no system role, it takes no images."
    )
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
    assert note.words == "Learned of this server: it refuses temperature 0.2."
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

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.known.window_estimates import WindowEstimates
from comfyui_assistant.engine.store.model_states import Key, ModelStates

LOCAL = ("http://127.0.0.1:8080/v1", "small")
DAY = 86_400


@pytest.fixture
def states() -> ModelStates:
    return ModelStates()


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

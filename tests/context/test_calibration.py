from __future__ import annotations

import json
from statistics import median
from typing import Any

import pytest
from comfyui_assistant.engine.context.calibration import Calibration, first_calibration
from hypothesis import given
from hypothesis import strategies as st


def after(*requests: tuple[int, int]) -> Calibration:
    calibration = Calibration()
    for estimated, reported in requests:
        calibration = calibration.observe(estimated, reported)
    return calibration


def test_before_the_first_request_the_margin_alone_protects() -> None:
    assert Calibration().factor == pytest.approx(1.15)


def test_the_ratio_follows_what_the_model_counts_and_the_margin_shrinks() -> None:
    calibration = after(*[(1_000, 1_300)] * 20)
    assert calibration.ratio == pytest.approx(1.3)
    assert 0.03 <= calibration.margin <= 0.05
    assert 1_000 * calibration.factor >= 1_300


def test_the_first_request_outweighs_what_was_supposed() -> None:
    assert first_calibration("claude-opus-4-7").observe(1_000, 1_300).ratio == pytest.approx(1.3)


def test_requests_that_differ_widen_the_margin() -> None:
    even = after(*[(1_000, 1_200)] * 12)
    uneven = after(*[(1_000, 1_100), (1_000, 1_300)] * 6)
    assert uneven.margin > 2 * even.margin
    assert 1_000 * uneven.factor >= 1_300


def test_a_surprise_is_remembered_for_a_while() -> None:
    surprised = after(*[(1_000, 1_000)] * 10, (1_000, 1_300), *[(1_000, 1_000)] * 5)
    assert 1_000 * surprised.factor >= 1_250


@given(st.lists(st.tuples(st.integers(-5, 10**7), st.integers(-5, 10**7)), max_size=30))
def test_whatever_is_reported_the_factor_stays_sane(requests: Any) -> None:
    calibration = after(*requests)
    assert 0.5 <= calibration.ratio <= 3.0
    assert 0.03 <= calibration.margin <= 0.5
    assert Calibration.from_json(json.loads(json.dumps(calibration.as_json()))) == calibration


@given(st.floats(0.8, 2.5), st.lists(st.floats(-0.02, 0.02), min_size=40, max_size=40))
def test_after_five_requests_the_median_error_is_small_and_the_bound_holds(ratio: float, noise: Any) -> None:
    calibration, errors = Calibration(), []
    for number, off in enumerate(noise):
        estimated = 2_000 + 300 * number
        true = round(estimated * ratio * (1 + off))
        if number >= 5:
            errors.append(abs(estimated * calibration.ratio - true) / true)
            assert estimated * calibration.factor >= true
        calibration = calibration.observe(estimated, true)
    assert median(errors) <= 0.05


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {},
        {"ratio": 1.0},
        {**Calibration().as_json(), "ratio": 0},
        {**Calibration().as_json(), "ratio": float("nan")},
        {**Calibration().as_json(), "n": True},
        {**Calibration().as_json(), "spread": "1"},
    ],
)
def test_a_calibration_that_cannot_be_read_is_none(stored: Any) -> None:
    assert Calibration.from_json(stored) is None


@pytest.mark.parametrize(
    ("model", "ratio"),
    [
        ("gpt-5", 1.0),
        ("qwen3:8b", 1.0),
        ("claude-3-7-sonnet-20250219", 1.25),
        ("anthropic/claude-sonnet-4", 1.25),
        ("claude-opus-4-20250514", 1.25),
        ("claude-opus-4-6", 1.25),
        ("anthropic/claude-opus-4.7", 1.6),
        ("claude-sonnet-5", 1.6),
        ("us.anthropic.claude-opus-4-7-20260301-v1:0", 1.6),
        ("claude-latest", 1.25),
    ],
)
def test_what_is_supposed_of_a_model_before_its_first_request(model: str, ratio: float) -> None:
    assert first_calibration(model).ratio == ratio

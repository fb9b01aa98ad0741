from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from comfyui_assistant.engine.context.images import UNKNOWN_IMAGE_TOKENS
from comfyui_assistant.engine.context.tokens import (
    Calibration,
    count_fewest_tokens,
    count_message_tokens,
    count_messages_tokens,
    count_text,
    count_tools_tokens,
    first_calibration,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import grows_in_proportion

from .pictures import png

FIXTURES = Path(__file__).parents[1] / "fixtures"


def user(content: Any) -> Any:
    return {"role": "user", "content": content}


def test_the_bytes_of_an_image_are_not_counted_as_text() -> None:
    picture = {"type": "image_url", "image_url": {"url": png(512, 512, body=3_000_000)}}
    unknown = {"type": "image_url", "image_url": {"url": "https://example.test/a.png"}}
    sound = {"type": "input_audio", "input_audio": {"data": "A" * 3_000_000, "format": "wav"}}
    empty = count_message_tokens(user(""))
    assert count_message_tokens(user([picture])) - empty == 255
    assert count_message_tokens(user([unknown])) - empty == UNKNOWN_IMAGE_TOKENS
    assert 1_500 <= count_message_tokens(user([sound])) - empty <= 1_600


def call(call_id: str, name: str, arguments: str) -> Any:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_the_estimate_is_the_one_that_the_panel_makes() -> None:
    estimates = json.loads((FIXTURES / "token_estimates.json").read_text(encoding="utf-8"))
    assert {text: count_text(text) for text in estimates} == estimates


@pytest.mark.parametrize(
    "longer",
    [
        pytest.param([call("c1-and-much-more", "look", "{}")], id="the id"),
        pytest.param([call("c1", "look-and-much-more", "{}")], id="the name"),
        pytest.param([call("c1", "look", '{"and": "much more"}')], id="the arguments"),
        pytest.param([call("c1", "look", "{}"), call("c2", "look", "{}")], id="a second call"),
    ],
)
def test_everything_of_a_call_counts(longer: Any) -> None:
    def size(calls: Any) -> int:
        return count_message_tokens({"role": "assistant", "content": None, "tool_calls": calls})

    assert size(longer) > size([call("c1", "look", "{}")])


def test_the_fewest_tokens_of_messages_are_their_words_in_the_cheapest_vocabulary() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    words = [user("steps"), user([{"type": "text", "text": "шаги" * 100}])]
    assert count_fewest_tokens([*words[:1], user([*words[1]["content"], picture])]) == 2 + 100 + 12
    assert count_fewest_tokens(words, lambda text: 1) == 2 + 12


def test_a_tools_schema_and_a_results_id_count() -> None:
    tool = {"type": "function", "function": {"name": "look", "description": "Look around.", "parameters": {}}}
    assert count_tools_tokens([tool, tool]) == 2 * count_tools_tokens([tool]) > 2 * count_text("Look around.")
    result: Any = {"role": "tool", "tool_call_id": "call-of-this", "content": ""}
    assert count_message_tokens(result) - count_message_tokens(user("")) == count_text("call-of-this")


@pytest.mark.slow
@given(
    st.one_of(
        st.text(),
        st.text(st.characters(categories=["Cs", "So", "Lo", "Cc"])),
        st.none(),
        st.lists(
            st.dictionaries(
                st.sampled_from(["type", "text", "image_url", "url", "data"]),
                st.one_of(
                    st.sampled_from(["text", "image_url", "file"]),
                    st.text(),
                    st.integers(),
                    st.dictionaries(st.just("url"), st.text() | st.just("data:image/png;base64,AAAA")),
                ),
            )
        ),
    )
)
def test_counting_takes_any_content(content: Any) -> None:
    size = count_message_tokens(user(content))
    assert size >= count_message_tokens(user(""))
    if isinstance(content, str):
        assert size - count_message_tokens(user("")) >= len(content) * 0.3


@pytest.mark.parametrize("character", ["\ud83d", "漢字", "😀", "a"])
def test_millions_of_characters_are_counted_in_a_moment(character: str) -> None:
    def count(size: int) -> None:
        assert count_text(character * size) >= len(character) * size * 0.3

    assert grows_in_proportion(count, 50_000)


def turn(number: int, rounds: int, size: int = 20) -> list[Any]:
    made = [user(f"ask {number}")]
    for step in range(rounds):
        ids = [f"{number}-{step}-{side}" for side in "ab"]
        made.append(
            {"role": "assistant", "content": None, "tool_calls": [call(i, "look", "{}") for i in ids]}
        )
        made += [{"role": "tool", "tool_call_id": i, "content": "x" * size} for i in ids]
    return [*made, {"role": "assistant", "content": f"answer {number}"}]


def test_a_thousand_messages_are_counted_as_soon_as_they_are_written_once_their_texts_are_known() -> None:
    known: dict[str, int] = {}

    def remembered(text: str) -> int:
        if text not in known:
            known[text] = count_text(text)
        return known[text]

    messages = [message for number in range(150) for message in turn(number, rounds=2, size=1_000)][:1_000]
    count_messages_tokens(messages, remembered)
    counting = min(_seconds_of(lambda: count_messages_tokens(messages, remembered)) for _ in range(5))
    writing = min(_seconds_of(lambda: json.dumps(messages)) for _ in range(5))
    assert counting < 5 * writing


def _seconds_of(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


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

from __future__ import annotations

from typing import Any

import pytest

from dev.model_table import prices_of, vision_of, windows_of


def told(window: int | None = None, *, vision: bool | None = None, mode: str = "chat") -> dict[str, Any]:
    return {"mode": mode, "max_input_tokens": window, "supports_vision": vision}


def test_the_makers_window_is_believed_before_what_others_give() -> None:
    entries = {"gpt-9": told(100), "a/gpt-9": told(50), "b/gpt-9": told(50)}
    assert windows_of(entries) == {"gpt-9": 100}


def test_of_what_others_give_the_most_frequent_window_counts_and_then_the_smallest() -> None:
    assert windows_of({"a/x-1": told(50), "b/x-1": told(100), "c/x-1": told(100)}) == {"x-1": 100}
    assert windows_of({"a/x-1": told(50), "b/x-1": told(100)}) == {"x-1": 50}


def test_a_name_whose_window_follows_from_its_family_is_left_out() -> None:
    entries = {"gpt-9": told(100), "gpt-9-mini": told(100), "gpt-9-nano": told(50)}
    assert windows_of(entries) == {"gpt-9": 100, "gpt-9-nano": 50}


def test_only_models_that_chat_are_listed() -> None:
    entries = {"gpt-9": told(mode="embedding", window=100, vision=True), "gpt-8": told()}
    assert (windows_of(entries), vision_of(entries)) == ({}, {})


def test_a_price_is_what_the_maker_takes_and_not_what_a_cloud_takes_under_the_same_name() -> None:
    def priced(dollars: float, provider: str) -> dict[str, Any]:
        cost = dollars / 1_000_000
        return {
            **told(),
            "litellm_provider": provider,
            "input_cost_per_token": cost,
            "output_cost_per_token": 5 * cost,
        }

    entries = {
        "gpt-9": priced(2, "openai"),
        "us.openai.gpt-9": priced(2.2, "cloud"),
        "cloud/x-1": priced(3, "cloud"),
    }
    assert prices_of(entries) == {"gpt-9": (2, 2, 10)}


@pytest.mark.parametrize(
    ("entries", "sees"),
    [
        pytest.param({"x-1": told(vision=False), "a/x-1": told(vision=True)}, False, id="the maker denies"),
        pytest.param({"x-1": told(vision=True), "a/x-1": told(vision=False)}, True, id="the maker says so"),
        pytest.param({"a/x-1": told(vision=False), "b/x-1": told(vision=False)}, False, id="two others deny"),
        pytest.param({"a/x-1": told(vision=False)}, None, id="a single other one denies"),
        pytest.param({"a/x-1": told(vision=True)}, True, id="a single other one says so"),
        pytest.param(
            {"a/x-1": told(vision=False), "b/x-1": told(vision=True)}, True, id="as many deny as say so"
        ),
        pytest.param({"x-1": told(100)}, None, id="nobody says"),
    ],
)
def test_a_model_is_held_for_blind_only_where_that_is_sure(entries: Any, sees: bool | None) -> None:
    assert vision_of(entries) == ({} if sees is None else {"x-1": sees})

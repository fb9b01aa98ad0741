from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.known.price import FREE, Price, price_of, price_source_of


def test_cached_tokens_are_charged_at_their_own_price() -> None:
    assert Price(2, 0.5, 8).of(Usage(1_000_000, 500_000, 400_000)) == pytest.approx(1.2 + 0.2 + 4)


def test_without_a_word_on_the_cache_all_of_the_input_is_charged_in_full() -> None:
    assert Price(2, 0.5, 8).of(Usage(1_000_000, 0)) == 2


def test_a_model_on_this_machine_costs_nothing() -> None:
    assert price_of(Endpoint("http://127.0.0.1:1/v1", "llama3.3", is_local=True)) == FREE


def test_what_the_table_does_not_know_has_no_price() -> None:
    assert price_of(Endpoint("https://api.example/v1", "gpt-4.1")) == Price(2, 0.5, 8)
    assert price_of(Endpoint("https://api.example/v1", "nobodys-own")) is None


def test_a_gateways_free_edition_costs_nothing() -> None:
    assert price_of(Endpoint("https://api.example/v1", "openai/gpt-4.1:free")) == FREE


def test_a_model_on_the_network_costs_nothing_unless_somebody_told_a_price() -> None:
    endpoint = Endpoint("http://192.168.1.30:11434/v1", "llama3.3", is_on_network=True)
    assert (price_of(endpoint), price_source_of(endpoint)) == (FREE, "local")
    assert price_of(replace(endpoint, price=(1, 0.5, 2))) == Price(1, 0.5, 2)


@pytest.mark.parametrize("name", ["gpt-4.1", "anthropic/claude-sonnet-4-5", "gemini-2.5-pro", "o3"])
def test_a_gateway_near_by_is_charged_for_models_that_run_at_their_makers_only(name: str) -> None:
    endpoint = Endpoint("http://127.0.0.1:4000/v1", name, is_local=True)
    assert price_source_of(endpoint) == "table"
    assert (price_of(endpoint) or FREE).output > 0
    assert price_of(replace(endpoint, model="claude-nobody-knows")) is None


@pytest.mark.parametrize(
    "name", ["gpt-oss:20b", "deepseek-r1:14b", "grok-1", "olmo2", "my-claude", "gemma3:27b"]
)
def test_weights_that_anybody_may_run_cost_nothing_near_by(name: str) -> None:
    assert price_of(Endpoint("http://127.0.0.1:11434/v1", name, is_local=True)) == FREE


def test_a_price_says_where_it_comes_from() -> None:
    sources = [
        price_source_of(Endpoint("https://api.example/v1", name)) for name in ("gpt-4.1", "nobodys-own")
    ]
    assert sources == ["table", "unknown"]

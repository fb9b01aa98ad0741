from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.known.model_facts import (
    FREE,
    TABLE,
    Price,
    listed_vision,
    listed_window,
    look_up,
    model_entries,
    model_facts,
    normal_name,
    price_of,
    price_source_of,
)
from comfyui_assistant.engine.llm.known.server_facts import ServerFacts

WINDOWS = {
    "gpt-4": 8_192,
    "gpt-4-1": 1_047_576,
    "gpt-4o": 128_000,
    "claude-sonnet-4-5": 200_000,
    "command-r": 128_000,
}

ENTRIES = [
    {"id": "gpt-4.1", "context_length": 9_000, "pricing": {"prompt": "0.000001", "completion": "0.000002"}},
    {"id": "openai/gpt-4.1"},
    {"id": "nobodys-own"},
]


def window_of(model: str, **known: Any) -> tuple[int, str]:
    facts = model_facts(model, **known)
    return facts.window, facts.window_source


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param(
            {"override": 16_000, "server": ServerFacts(window=8_192), "learned_window": 20_000},
            (16_000, "setting"),
            id="setting",
        ),
        pytest.param(
            {"server": ServerFacts(window=8_192), "learned_window": 20_000},
            (8_192, "endpoint"),
            id="endpoint",
        ),
        pytest.param(
            {"override": 16_000, "learned_window": 4_096},
            (4_096, "learned"),
            id="an error belies the setting",
        ),
        pytest.param(
            {"server": ServerFacts(window=8_192), "learned_window": 4_096},
            (4_096, "learned"),
            id="an error belies the endpoint",
        ),
        pytest.param({}, (128_000, "table"), id="table"),
        pytest.param(
            {"learned_window": 64_000}, (64_000, "learned"), id="an error that tells less than the table"
        ),
        pytest.param({"learned_window": 256_000}, (128_000, "table"), id="an error that tells more"),
        pytest.param({"is_local": True}, (32_000, "unknown"), id="a server on this machine"),
        pytest.param(
            {"is_local": True, "learned_window": 8_000}, (8_000, "learned"), id="learned on this machine"
        ),
    ],
)
def test_the_window_comes_from_the_first_that_knows_it(known: Any, expected: tuple[int, str]) -> None:
    assert window_of("gpt-4o-2024-08-06", **known) == expected


def test_an_unknown_model_reads_32_000_tokens() -> None:
    assert window_of("nobody-knows") == (32_000, "unknown")
    assert window_of("nobody-knows", learned_window=8_000) == (8_000, "learned")


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("gpt-4o-mini", True),
        ("gpt-5.1", True),
        ("openai/o3", True),
        ("claude-sonnet-4-5", True),
        ("google/gemini-2.5-flash", True),
        ("Qwen/Qwen3-VL-30B-A3B-Instruct", True),
        ("glm-4.5v", True),
        ("meta-llama/Llama-4-Scout-17B", True),
        ("mistralai/pixtral-12b", True),
        ("gpt-oss:20b", False),
        ("o3-mini", False),
        ("deepseek/deepseek-r1-0528", False),
        ("meta-llama/llama-3.3-70b-instruct", False),
        ("a-model-of-our-own", None),
    ],
)
def test_the_table_tells_which_models_see(model: str, sees: bool | None) -> None:
    assert model_facts(model).vision is sees


@pytest.mark.parametrize(
    "model", ["qwen2.5vl:7b", "llama3.2-vision", "glm-9.9v", "gpt-oss-20b-vl", "phi-9-multimodal"]
)
def test_a_model_whose_name_says_so_sees_whatever_its_family_does(model: str) -> None:
    assert model_facts(model).vision is True


@pytest.mark.parametrize("model", ["evolution", "deepseek-v9", "vllm-model", "supervision-7b"])
def test_a_name_that_only_looks_like_it_says_nothing(model: str) -> None:
    assert model_facts(model).vision is None


@pytest.mark.parametrize("sees", [True, False])
def test_a_server_knows_better_than_the_table_and_the_name(sees: bool) -> None:
    for model in ("gpt-4o", "o3-mini", "qwen2.5-vl:7b"):
        assert model_facts(model, server=ServerFacts(vision=sees)).vision is sees


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        pytest.param("gpt-4o", 128_000, id="its name"),
        pytest.param("openai/GPT-4.1:free", 1_047_576, id="as OpenRouter names it"),
        pytest.param("models/gpt-4o", 128_000, id="as Google names models"),
        pytest.param("gpt-4o-2024-08-06", 128_000, id="a dated snapshot"),
        pytest.param("ft:gpt-4o-2024-08-06:somebody::id", 128_000, id="a fine-tune"),
        pytest.param("claude-sonnet-4-5-20250929", 200_000, id="a snapshot of another maker"),
        pytest.param("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000, id="as Bedrock names it"),
        pytest.param("claude-sonnet-4-5@20250929", 200_000, id="as Vertex names it"),
        pytest.param("gpt-4-0613", 8_192, id="the family"),
        pytest.param("command-x", None, id="a beginning without a version is no family"),
        pytest.param("qwen3:8b", None, id="unknown"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_a_model_is_found_in_the_table_under_its_providers_names(model: str, expected: int | None) -> None:
    assert look_up(model, WINDOWS) == expected


def test_an_ollama_tag_is_part_of_the_name() -> None:
    assert normal_name("library/Qwen3:8b") == "qwen3-8b"


def test_the_bundled_table_says_when_and_from_what_it_was_made() -> None:
    table = json.loads(TABLE.read_text("utf-8"))
    date.fromisoformat(table["generated"])
    assert table["source"].startswith("litellm ")
    assert TABLE.stat().st_size <= 60_000
    assert all(isinstance(window, int) and window > 0 for window in table["windows"].values())
    assert set(table["vision"].values()) == {True, False}
    assert (listed_window("gpt-4o"), listed_vision("gpt-4o")) == (128_000, True)


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


def test_each_model_is_listed_with_what_its_server_or_the_table_tells() -> None:
    known = model_entries(Endpoint("https://api.example/v1", ""), ENTRIES)
    assert [(each["id"], each["window"], each["price"] and each["price"]["input"]) for each in known] == [
        ("gpt-4.1", 9_000, 1.0),
        ("openai/gpt-4.1", 1_047_576, 2.0),
        ("nobodys-own", None, None),
    ]


def test_the_table_is_not_asked_for_the_window_that_a_server_near_by_makes_room_for() -> None:
    (known,) = model_entries(Endpoint("http://ollama:1/v1", "", is_on_network=True), ENTRIES[1:2])
    assert known["window"] is None

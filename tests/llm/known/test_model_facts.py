from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.known.model_facts import model_facts
from comfyui_assistant.engine.llm.known.server_facts import ServerFacts


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

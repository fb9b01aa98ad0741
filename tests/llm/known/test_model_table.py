from __future__ import annotations

import json
from datetime import date

import pytest
from comfyui_assistant.engine.llm.known.model_table import (
    TABLE,
    listed_vision,
    listed_window,
    look_up,
    normal_name,
)

WINDOWS = {
    "gpt-4": 8_192,
    "gpt-4-1": 1_047_576,
    "gpt-4o": 128_000,
    "claude-sonnet-4-5": 200_000,
    "command-r": 128_000,
}


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

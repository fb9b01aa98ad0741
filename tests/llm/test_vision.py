from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.vision import by_name, said_of_vision


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("gpt-4o-mini", True),
        ("gpt-5.1", True),
        ("openai/o3", True),
        ("claude-sonnet-4-5", True),
        ("google/gemini-2.5-flash", True),
        ("gemma3:12b", True),
        ("qwen2.5-vl:7b", True),
        ("Qwen/Qwen3-VL-30B-A3B-Instruct", True),
        ("qwen2.5vl:7b", True),
        ("glm-4.5v", True),
        ("llava:13b", True),
        ("llama3.2-vision", True),
        ("meta-llama/Llama-4-Scout-17B", True),
        ("mistralai/pixtral-12b", True),
        ("minicpm-v:8b", True),
        ("gemma3:1b", False),
        ("gpt-3.5-turbo", False),
        ("gpt-oss:20b", False),
        ("o3-mini", False),
        ("deepseek-chat", False),
        ("qwen3-coder:30b", False),
        ("qwen2.5:7b", False),
        ("llama3.1:8b", False),
        ("a-model-of-our-own", None),
        ("evolution", None),
    ],
)
def test_a_name_tells_whether_the_model_sees_where_it_can(model: str, sees: bool | None) -> None:
    assert by_name(model) is sees


@pytest.mark.parametrize(
    ("ollama", "llamacpp", "lm_studio", "sees"),
    [
        pytest.param({"capabilities": ["completion", "vision"]}, None, None, True, id="Ollama, sees"),
        pytest.param({"capabilities": ["completion", "tools"]}, None, None, False, id="Ollama, blind"),
        pytest.param({"modelfile": "…"}, None, None, None, id="an Ollama that does not say"),
        pytest.param(
            None, {"modalities": {"vision": True, "audio": False}}, None, True, id="llama.cpp, sees"
        ),
        pytest.param(None, {"modalities": {"vision": False}}, None, False, id="llama.cpp, blind"),
        pytest.param(None, None, {"type": "vlm"}, True, id="LM Studio, sees"),
        pytest.param(None, None, {"type": "llm"}, False, id="LM Studio, blind"),
        pytest.param({"error": "?"}, {"n_ctx": 1}, {"type": "embeddings"}, None, id="nobody says"),
    ],
)
def test_a_server_tells_whether_its_model_sees(
    ollama: Any, llamacpp: Any, lm_studio: Any, sees: bool | None
) -> None:
    assert said_of_vision(ollama, llamacpp, lm_studio) is sees

"""What each server says of the models that it holds. They are let go in `tests/chat/replies/test_vram_manager.py`."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.known.model_memory import llamacpp_models, lm_studio_models, ollama_models


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ({"models": [{"name": "qwen3:latest", "size_vram": 1}, {"name": "qwen3:8b"}]}, ["qwen3:latest"]),
        ({"models": [{"name": "other"}, "odd"]}, []),
        ({"models": []}, []),
        ({"data": []}, None),
    ],
)
def test_of_ollamas_models_the_one_without_a_tag_is_its_latest(answer: Any, names: Any) -> None:
    found = ollama_models(answer, "qwen3")
    assert (None if found is None else [model.name for model in found]) == names


def test_lm_studio_names_each_instance_and_a_model_by_its_key_or_by_its_instance() -> None:
    entry = {"key": "qwen3", "loaded_instances": [{"id": "qwen3:2", "config": {}}, {"id": ""}, "odd"]}
    for asked in ("qwen3", "qwen3:2"):
        [model] = lm_studio_models({"models": [entry, {"key": asked}]}, asked) or []
        assert (model.name, model.load_again.body) == ("qwen3:2", {"model": "qwen3"})
    assert lm_studio_models({"data": [entry]}, "qwen3") is None


def test_only_a_router_of_llamacpp_says_what_is_loaded() -> None:
    assert llamacpp_models({"data": [{"id": "qwen3"}]}, "qwen3") is None
    unloaded = {"id": "qwen3", "status": {"value": "unloaded"}}
    assert llamacpp_models({"data": [unloaded]}, "qwen3") == []

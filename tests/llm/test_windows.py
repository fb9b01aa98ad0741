from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.llm.probe import context_window
from comfyui_assistant.engine.llm.provider import ProviderDirectory
from comfyui_assistant.engine.llm.windows import TABLE, Window, get_context_window, listed_window, normal_name
from comfyui_assistant.engine.settings import Settings
from comfyui_assistant.engine.store.preferences import Preferences

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
    assert listed_window(model, WINDOWS) == expected


def test_an_ollama_tag_is_part_of_the_name() -> None:
    assert normal_name("library/Qwen3:8b") == "qwen3-8b"


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param(
            {"override": 16_000, "endpoint": 8_192, "learned": 4_096}, Window(16_000, "setting"), id="setting"
        ),
        pytest.param({"endpoint": 8_192, "learned": 4_096}, Window(8_192, "endpoint"), id="endpoint"),
        pytest.param({}, Window(128_000, "table"), id="table"),
        pytest.param(
            {"learned": 64_000}, Window(64_000, "learned"), id="an error that tells less than the table"
        ),
        pytest.param({"learned": 256_000}, Window(128_000, "table"), id="an error that tells more"),
        pytest.param({"is_local": True}, Window(32_000, "unknown"), id="a server on this machine"),
        pytest.param(
            {"is_local": True, "learned": 8_000}, Window(8_000, "learned"), id="learned on this machine"
        ),
    ],
)
def test_the_window_comes_from_the_first_that_knows_it(known: Any, expected: Window) -> None:
    assert get_context_window("gpt-4o-2024-08-06", **known) == expected


def test_an_unknown_model_reads_32_000_tokens() -> None:
    assert get_context_window("nobody-knows") == Window(32_000, "unknown")
    assert get_context_window("nobody-knows", learned=8_000) == Window(8_000, "learned")


def test_the_bundled_table_says_when_and_from_what_it_was_made() -> None:
    table = json.loads(TABLE.read_text("utf-8"))
    date.fromisoformat(table["generated"])
    assert table["source"].startswith("litellm ")
    assert TABLE.stat().st_size <= 60_000
    assert all(isinstance(window, int) and window > 0 for window in table["windows"].values())
    assert listed_window("gpt-4o", table["windows"]) == 128_000


LISTS = {
    "vLLM": {"max_model_len": 40_960},
    "OpenRouter": {"context_length": 40_960, "architecture": {}},
    "Groq": {"context_window": 40_960},
    "Mistral": {"max_context_length": 40_960},
    "GitHub Copilot": {"capabilities": {"limits": {"max_prompt_tokens": 40_960}}},
}


@pytest.mark.parametrize("entry", LISTS.values(), ids=LISTS)
async def test_a_servers_list_of_models_tells_the_window(entry: Any) -> None:
    others = [
        {"id": f"other-{number}", "context_length": 1, "description": "x" * 400} for number in range(900)
    ]

    async def models(_: web.Request) -> web.Response:
        return web.json_response({"data": [*others, {"id": "m", **entry}]})

    app = web.Application()
    app.router.add_get("/v1/models", models)
    async with TestServer(app) as server:
        base_url = str(server.make_url("/v1"))
        assert await context_window(base_url, "m") == 40_960
        assert await context_window(base_url, "absent") is None


async def test_what_an_error_taught_of_an_endpoint_reaches_the_provider() -> None:
    asked: list[Any] = []

    async def preferences() -> Preferences:
        return Preferences(base_url="https://api.example/v1", model="gpt-4o")

    async def silent(*question: Any) -> None:
        asked.append(question)

    async def learned(base_url: str, model: str) -> int:
        assert (base_url, model) == ("https://api.example/v1", "gpt-4o")
        return 60_000

    directory = ProviderDirectory(
        Settings(),
        preferences=preferences,
        windows=silent,
        discovery=silent,  # type: ignore[arg-type]
        listing=silent,  # type: ignore[arg-type]
        learned=learned,
    )
    provider = await directory.current()
    assert (provider.window, provider.window_source) == (60_000, "learned")
    assert provider.as_json()["windowSource"] == "learned"
    await directory.current()
    assert len(asked) == 1

"""What model servers say of a model, asked over real HTTP."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.known.server_facts import ServerFacts, ask_for_facts


class ModelServer:
    """Answers each path as it was told, any other one with 404, and counts what it was asked."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers = answers
        self.asked: Counter[str] = Counter()
        self.keys: set[str | None] = set()

    async def answer(self, request: web.Request) -> web.Response:
        self.asked[request.path] += 1
        self.keys.add(request.headers.get("Authorization"))
        if request.path not in self.answers:
            raise web.HTTPNotFound
        return web.json_response(self.answers[request.path])

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[str, None]:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.answer)
        async with TestServer(app) as server:
            yield str(server.make_url("/v1"))


async def find_facts(answers: Mapping[str, Any], *, model: str = "m", is_local: bool = True) -> ServerFacts:
    async with ModelServer(answers).running() as base_url:
        return await ask_for_facts(Endpoint(base_url, model, is_local=is_local))


LISTS = {
    "vLLM": ({"max_model_len": 40_960}, None),
    "OpenRouter, sees": (
        {"context_length": 40_960, "architecture": {"input_modalities": ["text", "image"]}},
        True,
    ),
    "OpenRouter, blind": ({"context_length": 40_960, "architecture": {"input_modalities": ["text"]}}, False),
    "OpenRouter, before": ({"context_length": 40_960, "architecture": {}}, None),
    "Groq": ({"context_window": 40_960}, None),
    "Mistral": ({"max_context_length": 40_960, "capabilities": {"vision": True}}, True),
    "GitHub Copilot": (
        {"capabilities": {"limits": {"max_prompt_tokens": 40_960}, "supports": {"vision": True}}},
        True,
    ),
}


@pytest.mark.parametrize(("entry", "vision"), LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("is_local", [True, False])
async def test_a_servers_list_of_models_tells(entry: Any, vision: bool | None, is_local: bool) -> None:
    others = [
        {"id": f"other-{number}", "context_length": 1, "description": "x" * 400} for number in range(900)
    ]
    answers = {"/v1/models": {"data": [*others, {"id": "m", **entry}]}}
    assert await find_facts(answers, is_local=is_local) == ServerFacts(40_960, vision)
    assert await find_facts(answers, model="absent", is_local=is_local) == ServerFacts()


OF_QWEN3 = {"general.architecture": "qwen3", "qwen3.context_length": 40_960}


@pytest.mark.parametrize(
    ("answers", "facts"),
    [
        pytest.param(
            {
                "/api/show": {
                    "modelfile": "…",
                    "parameters": "num_ctx 8192",
                    "capabilities": ["completion", "vision"],
                }
            },
            ServerFacts(8_192, True),
            id="Ollama, sees",
        ),
        pytest.param(
            {"/api/show": {"modelfile": "…", "capabilities": ["completion", "tools"]}},
            ServerFacts(4_096, False),
            id="Ollama, blind and with its usual window",
        ),
        pytest.param({"/api/show": {"modelfile": "…"}}, ServerFacts(4_096, None), id="an earlier Ollama"),
        pytest.param(
            {"/api/show": {"modelfile": "…", "model_info": OF_QWEN3}},
            ServerFacts(4_096, None, model_window=40_960),
            id="Ollama, of which the model could read more",
        ),
        pytest.param(
            {"/api/show": {"modelfile": "…", "parameters": "num_ctx 8192", "model_info": OF_QWEN3}},
            ServerFacts(8_192, None),
            id="Ollama, with a window that the model was made with",
        ),
        pytest.param(
            {
                "/api/show": {"modelfile": "…", "model_info": OF_QWEN3},
                "/api/ps": {"models": [{"name": "m:latest", "context_length": 40_960}]},
            },
            ServerFacts(40_960, None),
            id="Ollama, started with a larger window",
        ),
        pytest.param(
            {
                "/api/show": {"modelfile": "…", "model_info": OF_QWEN3},
                "/api/ps": {"models": [{"name": "other", "context_length": 40_960}, {"name": "m"}]},
            },
            ServerFacts(4_096, None, model_window=40_960),
            id="an Ollama that does not tell with what it loaded the model",
        ),
        pytest.param(
            {"/props": {"default_generation_settings": {"n_ctx": 32_768}, "modalities": {"vision": True}}},
            ServerFacts(32_768, True, tells_progress=True),
            id="llama.cpp, sees",
        ),
        pytest.param(
            {"/props": {"modalities": {"vision": False}}}, ServerFacts(None, False), id="llama.cpp, blind"
        ),
        pytest.param(
            {"/api/v0/models": {"data": [{"id": "m", "type": "vlm", "loaded_context_length": 16_000}]}},
            ServerFacts(16_000, True),
            id="LM Studio, sees",
        ),
        pytest.param(
            {"/api/v0/models": {"data": [{"id": "m", "type": "llm"}]}},
            ServerFacts(None, False),
            id="LM Studio, blind",
        ),
        pytest.param(
            {
                "/api/show": {"error": "?"},
                "/props": {"n_ctx": 1},
                "/api/v0/models": {"data": [{"id": "m", "type": "embeddings"}]},
            },
            ServerFacts(),
            id="nobody says",
        ),
    ],
)
async def test_a_server_on_this_machine_tells_in_its_own_way(answers: Any, facts: ServerFacts) -> None:
    assert await find_facts(answers) == facts


@pytest.mark.parametrize(
    "n_ctx", [True, 10**400, -1, 0, 4_096.5, "8192", None, [8_192]], ids=lambda value: str(value)[:12]
)
async def test_a_window_that_is_no_number_of_tokens_counts_as_not_said(n_ctx: Any) -> None:
    facts = await find_facts({"/props": {"default_generation_settings": {"n_ctx": n_ctx}}})
    assert facts == ServerFacts(tells_progress=True)


@pytest.mark.parametrize("number", ["²", "9" * 5_000, "-1", "0", "٣"])
async def test_ollamas_usual_window_stands_where_its_parameters_name_none(number: str) -> None:
    answers = {"/api/show": {"modelfile": "…", "parameters": f"num_ctx {number}"}}
    assert await find_facts(answers) == ServerFacts(4_096, None)


async def test_a_server_on_this_machine_is_asked_each_question_once() -> None:
    server = ModelServer({})
    async with server.running() as base_url:
        await ask_for_facts(Endpoint(base_url, "m", Secret("sk-1"), is_local=True))
    questions = (
        *("/v1/models", "/props", "/api/show", "/api/ps", "/api/v0/models"),
        "/api/extra/true_max_context_length",
    )
    assert server.asked == dict.fromkeys(questions, 1)
    assert server.keys == {"Bearer sk-1"}


async def test_elsewhere_only_the_list_of_models_is_asked() -> None:
    server = ModelServer({})
    async with server.running() as base_url:
        await ask_for_facts(Endpoint(base_url, "m"))
    assert server.asked == {"/v1/models": 1}
    assert server.keys == {None}


async def test_a_server_on_the_network_is_asked_as_one_here() -> None:
    """An Ollama on another machine cuts the front of a prompt without a word, too."""
    server = ModelServer({"/api/show": {"modelfile": "FROM x", "parameters": "", "capabilities": []}})
    async with server.running() as base_url:
        facts = await ask_for_facts(Endpoint(base_url, "m", is_on_network=True))
    assert facts.window == 4_096


async def test_koboldcpp_tells_its_window() -> None:
    assert (await find_facts({"/api/extra/true_max_context_length": {"value": 12_288}})).window == 12_288


@pytest.mark.parametrize(
    ("pricing", "price"),
    [
        ({"prompt": "0.0000025", "completion": "0.00001"}, (2.5, 2.5, 10.0)),
        ({"prompt": "0.000002", "completion": "0.000008", "input_cache_read": "0.0000005"}, (2.0, 0.5, 8.0)),
        ({"prompt": "0", "completion": "0"}, (0.0, 0.0, 0.0)),
        ({"prompt": "-1", "completion": "-1"}, None),
        ({"prompt": "nan", "completion": "inf"}, None),
        ({"input": 0.2, "output": 0.2}, None),
        ("free", None),
    ],
)
async def test_a_gateway_tells_prices(pricing: Any, price: Any) -> None:
    answers = {"/v1/models": {"data": [{"id": "m", "pricing": pricing}]}}
    assert (await find_facts(answers, is_local=False)).price == price


@pytest.mark.parametrize(
    ("owner", "entry", "window", "asked"),
    [
        pytest.param("library", {}, 16_384, 6, id="Ollama"),
        pytest.param(
            "library", {"context_length": 8_192}, 8_192, 1, id="one that tells the window in its list"
        ),
        pytest.param("openai", {}, None, 1, id="a cloud"),
        pytest.param(["library"], {}, None, 1, id="an odd one"),
    ],
)
async def test_a_server_as_people_run_them_is_asked_all_also_where_its_name_is_a_public_one(
    owner: Any, entry: Any, window: int | None, asked: int
) -> None:
    listed = {"data": [{"id": "m", "owned_by": owner, **entry}]}
    shown = {"modelfile": "…", "parameters": "num_ctx 16384"}
    server = ModelServer({"/v1/models": listed, "/api/show": shown})
    async with server.running() as base_url:
        facts = await ask_for_facts(Endpoint(base_url, "m", is_local=False))
    assert (facts.window, len(server.asked)) == (window, asked)

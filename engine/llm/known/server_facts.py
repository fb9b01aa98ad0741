"""Facts on a model by its server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...base.network.outgoing import outgoing
from ..endpoint import Endpoint
from ..replies.loose_types import as_count
from .probe import ask

OLLAMA_DEFAULT_WINDOW = 4_096
_OWNERS_AT_HOME: frozenset[str] = frozenset({"library", "llamacpp", "koboldcpp"})
"""The `owned_by` of models at Ollama, llama.cpp and KoboldCpp."""
_NUMBER = re.compile("[0-9]{1,10}")

Answer = Mapping[str, Any] | None


@dataclass(frozen=True)
class ServerFacts:
    """Facts on a model; None where the server does not tell.

    `window` is the number of tokens that the server gives a conversation, `model_window` that of the model, where the
    server gives fewer unless configured. `price` is in dollars per million tokens of input, cached input and output.
    With `tells_progress` the server can report how much of a request it has read.
    """

    window: int | None = None
    vision: bool | None = None
    price: tuple[float, float, float] | None = None
    tells_progress: bool = False
    model_window: int | None = None


async def ask_for_facts(endpoint: Endpoint) -> ServerFacts:
    """Ask a server for its facts: six requests to a local one, elsewhere only the list of models.

    A server elsewhere whose list looks self-hosted gets all six, since it may be local under a public name. The key
    goes to no other address.
    """
    key = endpoint.api_key
    headers = {"Authorization": f"Bearer {key.reveal()}"} if key else None
    models = f"{endpoint.base_url}/models"
    async with outgoing(headers=headers) as session:
        if not endpoint.is_near:
            listed = await ask(session, "GET", models)
            facts = listed_facts(listed, endpoint.model)
            if facts.window or not _is_self_hosted(listed):
                return facts
        root = endpoint.base_url.removesuffix("/v1")
        model_list, props, description, loaded, studio, kobold = await asyncio.gather(
            ask(session, "GET", models),
            ask(session, "GET", f"{root}/props"),
            ask(session, "POST", f"{root}/api/show", {"model": endpoint.model}),
            ask(session, "GET", f"{root}/api/ps"),
            ask(session, "GET", f"{root}/api/v0/models"),
            ask(session, "GET", f"{root}/api/extra/true_max_context_length"),
        )
    answers = (
        llamacpp_facts(props),
        listed_facts(model_list, endpoint.model),
        lm_studio_facts(studio, endpoint.model),
        ollama_facts(description, loaded, endpoint.model),
        ServerFacts(_positive_integer(_get(kobold, "value"))),
    )
    return ServerFacts(
        window=next((facts.window for facts in answers if facts.window), None),
        vision=next((facts.vision for facts in answers if facts.vision is not None), None),
        price=listed_facts(model_list, endpoint.model).price,
        tells_progress=any(facts.tells_progress for facts in answers),
        model_window=next((facts.model_window for facts in answers if facts.model_window), None),
    )


def listed_facts(model_list: Answer, model: str) -> ServerFacts:
    return facts_of_entry(_entry(model_list, model))


def facts_of_entry(entry: Answer) -> ServerFacts:
    """Read an entry of a model list, by the field names of vLLM, OpenRouter, Together, Groq, Mistral and Copilot."""
    windows = (
        ("max_model_len",),
        ("context_length",),
        ("context_window",),
        ("max_context_length",),
        ("capabilities", "limits", "max_prompt_tokens"),
    )
    window = next((window for path in windows if (window := _positive_integer(_get(entry, *path)))), None)
    price = _price(_get(entry, "pricing"))
    inputs = _get(entry, "architecture", "input_modalities")
    if isinstance(inputs, list):
        return ServerFacts(window, "image" in inputs, price)
    vision = (_get(entry, "capabilities", "vision"), _get(entry, "capabilities", "supports", "vision"))
    return ServerFacts(window, next((value for value in vision if isinstance(value, bool)), None), price)


def llamacpp_facts(props: Answer) -> ServerFacts:
    vision = _get(props, "modalities", "vision")
    return ServerFacts(
        _positive_integer(_get(props, "default_generation_settings", "n_ctx")),
        vision if isinstance(vision, bool) else None,
        tells_progress=isinstance(_get(props, "default_generation_settings"), Mapping),
    )


def lm_studio_facts(model_list: Answer, model: str) -> ServerFacts:
    entry = _entry(model_list, model)
    vision = {"vlm": True, "llm": False}.get(str(_get(entry, "type")))
    return ServerFacts(_positive_integer(_get(entry, "loaded_context_length")), vision)


def ollama_facts(description: Answer, loaded: Answer = None, model: str = "") -> ServerFacts:
    """Read `/api/show` and `/api/ps`: https://github.com/ollama/ollama/blob/main/docs/api.md.

    Ollama silently cuts the front of a longer prompt: to the window that the model was loaded with, by `/api/ps`,
    else to the model's own `num_ctx`, else to 4,096 tokens.
    """
    capabilities = _get(description, "capabilities")
    vision = "vision" in capabilities if isinstance(capabilities, list) else None
    if not description or "modelfile" not in description:
        return ServerFacts(None, vision)
    parameters = dict(pairwise(str(description.get("parameters", "")).split()))
    named = _positive_integer(_number(parameters.get("num_ctx", "")))
    window = _loaded_window(loaded, model) or named or OLLAMA_DEFAULT_WINDOW
    architecture = _get(description, "model_info", "general.architecture")
    most = _positive_integer(_get(description, "model_info", f"{architecture}.context_length"))
    # A model's own `num_ctx` was set on purpose, and Ollama's environment does not change it.
    return ServerFacts(window, vision, model_window=most if most and most > window and not named else None)


def _loaded_window(loaded: Answer, model: str) -> int | None:
    entries = loaded.get("models") if loaded else None
    named = (
        entry
        for entry in (entries if isinstance(entries, list) else [])
        if _get(entry, "name") in (model, f"{model}:latest")
    )
    return next((_positive_integer(_get(entry, "context_length")) for entry in named), None)


def _is_self_hosted(model_list: Answer) -> bool:
    return any(str(entry.get("owned_by")) in _OWNERS_AT_HOME for entry in _entries(model_list))


def _entries(model_list: Answer) -> list[dict[str, Any]]:
    data = model_list.get("data") if model_list else None
    return [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []


def _entry(model_list: Answer, model: str) -> Answer:
    return next((entry for entry in _entries(model_list) if entry.get("id") == model), None)


def _get(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _price(pricing: Any) -> tuple[float, float, float] | None:
    """Read OpenRouter's prices: strings, in dollars per token, negative where the price depends on the request."""
    of_input, of_output = _dollars(_get(pricing, "prompt")), _dollars(_get(pricing, "completion"))
    cached = _dollars(_get(pricing, "input_cache_read"))
    if of_input is None or of_output is None:
        return None
    return of_input, of_input if cached is None else cached, of_output


def _dollars(told: Any) -> float | None:
    try:
        dollars = float(told) * 1_000_000 if isinstance(told, str) else -1.0
    except ValueError:
        return None
    return round(dollars, 6) if 0 <= dollars < 1e6 else None


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def _positive_integer(value: Any) -> int | None:
    return as_count(value) or None

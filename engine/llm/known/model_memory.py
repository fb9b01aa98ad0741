"""Models in a local server's memory, unloaded and loaded again.

Ollama: https://github.com/ollama/ollama/blob/main/docs/api.md (`/api/ps`, `keep_alive`). LM Studio 0.4:
https://lmstudio.ai/docs/developer/rest (`/api/v1/models`). llama.cpp: its server's README, "router mode"
(`/models/load`, `/models/unload`); a llama.cpp server of a single model keeps it as long as it runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...base.network.outgoing import Outgoing, outgoing
from ..endpoint import Endpoint
from ..replies.loose_types import as_count, as_list, as_object, as_text
from .probe import ask

_SECONDS_TO_UNLOAD = 10.0
_SECONDS_TO_LOAD = 300.0
_LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Question:
    """A POST request to a server, by path and body."""

    path: str
    body: Mapping[str, Any]


@dataclass(frozen=True)
class LoadedModel:
    """A loaded model with the requests to unload and reload it; `takes_memory` is False where it uses no graphics
    memory.
    """

    name: str
    unload: Question
    load_again: Question
    takes_memory: bool = True


Reading = Callable[[Mapping[str, Any], str], list[LoadedModel] | None]


async def loaded_model(endpoint: Endpoint) -> LoadedModel | None:
    """Return the endpoint's model, if its server has it loaded and can unload it."""
    async with _session(endpoint) as session:
        return await _loaded_model(session, endpoint)


async def has_to_load(endpoint: Endpoint) -> bool:
    """Return whether the server lists its loaded models, and the endpoint's is not among them."""
    async with _session(endpoint) as session:
        told = await _loaded_models(session, endpoint)
    return told is not None and not told


async def unload(endpoint: Endpoint, model: LoadedModel) -> bool:
    """Unload a model, waiting up to ten seconds; return whether its memory is free now."""
    async with _session(endpoint) as session:
        if await _put(session, endpoint, model.unload, _SECONDS_TO_UNLOAD) is None:
            return False
        for _ in range(round(_SECONDS_TO_UNLOAD / _LOOK_SECONDS)):
            if await _loaded_model(session, endpoint) is None:
                return True
            await asyncio.sleep(_LOOK_SECONDS)
        return False


async def load_again(endpoint: Endpoint, model: LoadedModel) -> bool:
    """Load a model again; return whether the server accepted."""
    async with _session(endpoint) as session:
        return await _put(session, endpoint, model.load_again, _SECONDS_TO_LOAD) is not None


def ollama_models(answer: Mapping[str, Any], model: str) -> list[LoadedModel] | None:
    """Read `/api/ps`. A model name without a tag means its `latest`; None for another server's answer."""
    entries = answer.get("models")
    if not isinstance(entries, list):
        return None
    found = [
        entry for entry in map(as_object, entries) if as_text(entry.get("name")) in (model, f"{model}:latest")
    ]
    return [
        LoadedModel(
            name := as_text(entry.get("name")),
            Question("/api/generate", {"model": name, "keep_alive": 0}),
            Question("/api/generate", {"model": name}),
            takes_memory=as_count(entry.get("size_vram")) != 0,
        )
        for entry in found
    ]


def lm_studio_models(answer: Mapping[str, Any], model: str) -> list[LoadedModel] | None:
    """Read `/api/v1/models`: loaded instances of each model, which keep their window when they are loaded again."""
    entries = answer.get("models")
    if not isinstance(entries, list):
        return None
    found: list[LoadedModel] = []
    for entry in map(as_object, entries):
        key = as_text(entry.get("key"))
        for instance in map(as_object, as_list(entry.get("loaded_instances"))):
            name = as_text(instance.get("id"))
            if model not in (key, name) or not name:
                continue
            window = as_count(as_object(instance.get("config")).get("context_length"))
            again = {"model": key, **({"context_length": window} if window else {})}
            unload = Question("/api/v1/models/unload", {"instance_id": name})
            found.append(LoadedModel(name, unload, Question("/api/v1/models/load", again)))
    return found


def llamacpp_models(answer: Mapping[str, Any], model: str) -> list[LoadedModel] | None:
    """Read `/models` of a router, whose entries tell whether a model is loaded."""
    entries = [as_object(entry) for entry in as_list(answer.get("data"))]
    if not any("status" in entry for entry in entries):
        return None
    return [
        LoadedModel(
            model, Question("/models/unload", {"model": model}), Question("/models/load", {"model": model})
        )
        for entry in entries
        if as_text(entry.get("id")) == model and as_object(entry.get("status")).get("value") == "loaded"
    ]


_SERVERS: tuple[tuple[str, Reading], ...] = (
    ("/api/ps", ollama_models),
    ("/api/v1/models", lm_studio_models),
    ("/models", llamacpp_models),
)


def _session(endpoint: Endpoint) -> Any:
    key = endpoint.api_key
    return outgoing(headers={"Authorization": f"Bearer {key.reveal()}"} if key else None)


async def _loaded_model(session: Outgoing, endpoint: Endpoint) -> LoadedModel | None:
    return next(iter(await _loaded_models(session, endpoint) or []), None)


async def _loaded_models(session: Outgoing, endpoint: Endpoint) -> list[LoadedModel] | None:
    """Return all loaded instances of the endpoint's model; None where its server does not list them."""

    async def read(path: str, reading: Reading) -> list[LoadedModel] | None:
        answer = await ask(session, "GET", _root(endpoint) + path)
        return reading(answer, endpoint.model) if answer else None

    asked: list[Awaitable[list[LoadedModel] | None]] = [read(path, reading) for path, reading in _SERVERS]
    told = [models for models in await asyncio.gather(*asked) if models is not None]
    return [model for models in told for model in models] if told else None


async def _put(
    session: Outgoing, endpoint: Endpoint, question: Question, seconds: float
) -> dict[str, Any] | None:
    return await ask(session, "POST", _root(endpoint) + question.path, question.body, seconds=seconds)


def _root(endpoint: Endpoint) -> str:
    return endpoint.base_url.removesuffix("/v1")

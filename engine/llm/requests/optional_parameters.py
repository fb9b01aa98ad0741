"""Optional parameters of a request, which are left out where an endpoint refuses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from ...base.messages import Message, dump
from ..endpoint import Endpoint

_REFUSED_BY: Mapping[str, re.Pattern[str]] = {
    "reasoning_effort": re.compile(
        r"reasoning[_ .]effort|(not|n't) support (thinking|reasoning)", re.IGNORECASE
    ),
    "temperature": re.compile("temperature", re.IGNORECASE),
    "prompt_cache_key": re.compile("prompt_cache_key"),
    "return_progress": re.compile("return_progress"),
}
"""Patterns of refusals by parameter. Ollama says that a model "does not support thinking"."""


def optional_parameters(
    endpoint: Endpoint, messages: Sequence[Message], refused: Iterable[str]
) -> dict[str, Any]:
    """Return the parameters without refused ones: the user's effort and temperature, OpenAI's cache key, and progress
    reports.

    All chats with the same system message share a cache key, so that their requests reach the same cache
    (https://platform.openai.com/docs/guides/prompt-caching).
    """
    parameters: dict[str, Any] = {}
    if endpoint.effort:
        parameters["reasoning_effort"] = endpoint.effort
    if endpoint.temperature is not None:
        parameters["temperature"] = endpoint.temperature
    if urlsplit(endpoint.base_url).hostname == "api.openai.com":
        parameters["prompt_cache_key"] = sha256(dump(messages[:1]).encode()).hexdigest()[:32]
    if endpoint.tells_progress:
        parameters["return_progress"] = True
    return {name: value for name, value in parameters.items() if spelled(name, value) not in refused}


def refused_among(parameters: Mapping[str, Any], words: str) -> str | None:
    """Return the key under which a refused parameter is remembered, if the endpoint's text is about one."""
    found = (name for name, pattern in _REFUSED_BY.items() if name in parameters and pattern.search(words))
    name = next(found, None)
    return None if name is None else spelled(name, parameters[name])


def spelled(name: str, value: Any) -> str:
    """Return the key under which a refused parameter is remembered: with its value, except for the cache key."""
    return name if name == "prompt_cache_key" else f"{name} {value}"

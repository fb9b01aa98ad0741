"""What a request has besides messages and tools and can do without, where an endpoint refuses it."""

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
"""The words that a refusal is known by. Ollama says of a model that it does not support thinking."""


def optional_parameters(
    endpoint: Endpoint, messages: Sequence[Message], refused: Iterable[str]
) -> dict[str, Any]:
    """What the person wants of the model, where OpenAI keeps what requests begin with, and whether a server that can is
    to tell how far it has read; without what was refused.

    All chats that begin with the same rules share a key: their requests are sent to where these are kept
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
    """The parameter that an endpoint's words are about, as it is remembered."""
    found = (name for name, pattern in _REFUSED_BY.items() if name in parameters and pattern.search(words))
    name = next(found, None)
    return None if name is None else spelled(name, parameters[name])


def spelled(name: str, value: Any) -> str:
    """Another value of it may be taken; of the key, each is as good as another."""
    return name if name == "prompt_cache_key" else f"{name} {value}"

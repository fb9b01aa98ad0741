"""Short questions to model servers on this machine: is somebody there, which models, how large a window."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..settings import Secret

if TYPE_CHECKING:
    from aiohttp import ClientSession

_SECONDS = 1.5
_SERVERS: tuple[tuple[str, str, int], ...] = (
    ("ollama", "Ollama", 11434),
    ("lmstudio", "LM Studio", 1234),
    ("llamacpp", "llama.cpp", 8080),
    ("vllm", "vLLM", 8000),
)
OLLAMA_DEFAULT_WINDOW = 4_096
_LONGEST_ANSWER = 8_000_000
_NO_KEY = Secret("")


@dataclass(frozen=True)
class LocalServer:
    kind: str
    label: str
    base_url: str
    models: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "label": self.label, "baseUrl": self.base_url, "models": list(self.models)}


async def find_local_servers(
    servers: Sequence[tuple[str, str, int]] = _SERVERS,
) -> list[LocalServer]:
    """The model servers that answer on their default ports of this machine and have at least one model."""
    from aiohttp import ClientSession

    async with ClientSession() as session:
        found = await asyncio.gather(*(_local_server(session, *server) for server in servers))
    return [server for server in found if server is not None]


async def _local_server(session: ClientSession, kind: str, label: str, port: int) -> LocalServer | None:
    base_url = f"http://127.0.0.1:{port}/v1"
    answer = await _ask(session, "GET", f"{base_url}/models")
    listed = answer.get("data") if answer else None
    if not isinstance(listed, list):
        return None
    models = tuple(str(model["id"]) for model in listed if isinstance(model, dict) and model.get("id"))
    return LocalServer(kind, label, base_url, models) if models else None


async def context_window(base_url: str, model: str, key: Secret = _NO_KEY) -> int | None:
    """The tokens that a server really gives to a conversation, where it says so; None where it does not.

    Elsewhere only the list of models is asked, with the key that belongs there. Ollama cuts the front of a longer
    prompt without a word, to 4,096 tokens unless the model is told otherwise.
    """
    from aiohttp import ClientSession

    headers = {"Authorization": f"Bearer {key.reveal()}"} if key else None
    async with ClientSession(headers=headers) as session:
        if not is_local(base_url):
            return _listed_window(await _ask(session, "GET", f"{base_url}/models"), model)
        root = base_url.removesuffix("/v1")
        props, listed, studio, shown = await asyncio.gather(
            _ask(session, "GET", f"{root}/props"),
            _ask(session, "GET", f"{base_url}/models"),
            _ask(session, "GET", f"{root}/api/v0/models"),
            _ask(session, "POST", f"{root}/api/show", {"model": model}),
        )
    return (
        _whole(_in(props, "default_generation_settings", "n_ctx"))
        or _listed_window(listed, model)
        or _whole(_in(_entry(studio, model), "loaded_context_length"))
        or (_ollama_window(shown) if shown and "modelfile" in shown else None)
    )


def _listed_window(listed: Mapping[str, Any] | None, model: str) -> int | None:
    """vLLM, OpenRouter and Together, Groq, Mistral, Copilot: each has its own name for it."""
    entry = _entry(listed, model)
    names = (
        ("max_model_len",),
        ("context_length",),
        ("context_window",),
        ("max_context_length",),
        ("capabilities", "limits", "max_prompt_tokens"),
    )
    return next((window for path in names if (window := _whole(_in(entry, *path)))), None)


def is_local(base_url: str) -> bool:
    host = (urlsplit(base_url).hostname or "").lower()
    return host in ("localhost", "::1") or host.startswith("127.") or host.endswith(".localhost")


def _ollama_window(shown: Mapping[str, Any]) -> int:
    words = str(shown.get("parameters", "")).split()
    pairs = dict(pairwise(words))
    return int(pairs["num_ctx"]) if pairs.get("num_ctx", "").isdigit() else OLLAMA_DEFAULT_WINDOW


def _entry(listed: Mapping[str, Any] | None, model: str) -> Mapping[str, Any] | None:
    data = listed.get("data") if listed else None
    entries = [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
    return next((entry for entry in entries if entry.get("id") == model), None)


def _in(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


async def ask_server(method: str, url: str, body: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
    """One short question; None where no JSON object comes back in time."""
    from aiohttp import ClientSession

    async with ClientSession() as session:
        return await _ask(session, method, url, body)


async def _ask(
    session: ClientSession, method: str, url: str, body: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    from aiohttp import ClientError, ClientTimeout

    try:
        async with session.request(
            method, url, json=body, timeout=ClientTimeout(total=_SECONDS), allow_redirects=False
        ) as response:
            if response.status != 200:
                return None
            text = b""
            async for piece in response.content.iter_any():
                text += piece
                if len(text) > _LONGEST_ANSWER:
                    return None
            # OpenRouter's list is a megabyte; reading that would hold up the event loop.
            answer = await asyncio.to_thread(json.loads, text) if len(text) > 50_000 else json.loads(text)
    except (ClientError, OSError, ValueError, asyncio.TimeoutError):
        return None
    return answer if isinstance(answer, dict) else None

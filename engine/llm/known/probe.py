"""Short requests to model servers, and discovery of those on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.network.outgoing import Outgoing, UnreadableAnswer, outgoing, read_json_answer

_SECONDS = 1.5
_SERVERS: tuple[tuple[str, str, int], ...] = (
    ("ollama", "Ollama", 11434),
    ("lmstudio", "LM Studio", 1234),
    ("llamacpp", "llama.cpp", 8080),
    ("vllm", "vLLM", 8000),
    ("koboldcpp", "KoboldCpp", 5001),
)
_LONGEST_ANSWER = 8_000_000


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
    """Return the model servers on their default ports of this machine, also those without a model."""
    async with outgoing() as session:
        answers = await asyncio.gather(*(_local_server(session, *server) for server in servers))
    return [server for server in answers if server is not None]


async def _local_server(session: Outgoing, kind: str, label: str, port: int) -> LocalServer | None:
    base_url = f"http://127.0.0.1:{port}/v1"
    answer = await ask(session, "GET", f"{base_url}/models")
    entries = answer.get("data") if answer else None
    if not isinstance(entries, list):
        return None
    models = tuple(str(model["id"]) for model in entries if isinstance(model, dict) and model.get("id"))
    return LocalServer(kind, label, base_url, models)


async def ask(
    session: Outgoing,
    method: str,
    url: str,
    body: Mapping[str, Any] | None = None,
    *,
    seconds: float = _SECONDS,
) -> dict[str, Any] | None:
    """Send one request; None where no JSON object arrives within `seconds`."""
    from aiohttp import ClientError, ClientTimeout

    try:
        async with session.request(method, url, json=body, timeout=ClientTimeout(total=seconds)) as response:
            if response.status != 200:
                return None
            answer = await read_json_answer(response, most_bytes=_LONGEST_ANSWER)
    except (ClientError, OSError, ValueError, UnreadableAnswer, asyncio.TimeoutError):
        return None
    return answer if isinstance(answer, dict) else None

"""Which model `make run` talks to: one that somebody configured, one that already runs here, else our own."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from collections.abc import Mapping
from pathlib import Path

CONFIGURING = ("COMFYUI_ASSISTANT_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY")
SAVED_SETTINGS = Path("user") / "__comfyui_assistant" / "settings.json"
LOCAL_SERVERS = {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"}
SECONDS_TO_ANSWER = 0.5


def configured(environ: Mapping[str, str], env_file: Path, base: Path) -> str | None:
    """Where an endpoint was configured, in words for the terminal; None where nowhere."""
    if name := next((name for name in CONFIGURING if environ.get(name)), None):
        return f"from {name} in your environment"
    if name := next((name for name in CONFIGURING if name in names_in(env_file)), None):
        return f"from {name} in .env"
    if _has_saved_endpoint(base / SAVED_SETTINGS):
        return "from the panel's settings"
    return None


def names_in(env_file: Path) -> set[str]:
    """The names that an env file gives a value to."""
    with contextlib.suppress(FileNotFoundError):
        lines = (line.removeprefix("export ").split("=", 1) for line in env_file.read_text().splitlines())
        return {line[0].strip() for line in lines if len(line) == 2 and line[1].strip(" \"'")}
    return set()


def _has_saved_endpoint(path: Path) -> bool:
    with contextlib.suppress(OSError, ValueError):
        saved = json.loads(path.read_text())
        return bool(saved.get("baseUrl") or saved.get("base_url"))
    return False


def running_locally() -> str | None:
    """A model server on the default port of a well-known program, in words; None where none has a model."""
    for port, name in LOCAL_SERVERS.items():
        if _models(f"http://127.0.0.1:{port}/v1/models"):
            return f"{name}, found on port {port}"
    return None


def _models(url: str) -> list[str]:
    unreadable = contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError)
    with unreadable, urllib.request.urlopen(url, timeout=SECONDS_TO_ANSWER) as response:
        return [model["id"] for model in json.load(response)["data"]]
    return []

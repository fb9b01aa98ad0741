"""The demonstration model as `make run` uses it: fetched once into the cache, served by llama.cpp on this machine."""

from __future__ import annotations

import contextlib
import json
import subprocess
import urllib.request
from pathlib import Path

from dev.comfyui import ENVIRONMENT
from dev.component import Component, Installation, SetUpFailed, ensure, file_texts, interpreter
from dev.demonstration_model.models import DEMONSTRATION_MODELS
from dev.places import CONSTRAINTS, HOST_VENV, MODELS, ROOT, venv_python
from dev.processes import ChildProcess

CHOICES = tuple(DEMONSTRATION_MODELS)
SERVER_PACKAGE = "xllamacpp"
SECONDS_TO_READ = 600


def _install_server(installation: Installation) -> None:
    installation.pip(
        venv_python(HOST_VENV), "install", "--only-binary", ":all:", SERVER_PACKAGE, "-c", CONSTRAINTS
    )


SERVER = Component(
    name="llama",
    title="llama.cpp's server",
    stamp=HOST_VENV / ".stamp-llama",
    pins=lambda: SERVER_PACKAGE + file_texts(CONSTRAINTS) + interpreter(),
    install=_install_server,
    needs=(ENVIRONMENT,),
)


def fetch(choice: str) -> None:
    """Download the model unless the cache has it. Shows its own progress."""
    ensure(SERVER)
    command = _command("fetch", "--model", choice, "--cache", MODELS)
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SetUpFailed(
            "The demonstration model could not be fetched (the reason is above). What to do: run the same command "
            "again; or `make run MODEL=none`, and give the panel an endpoint of your own."
        )


def described(choice: str) -> str:
    return f"{DEMONSTRATION_MODELS[choice].label}: a small one, for a first look" + (
        "" if calls_tools(choice) else "; it only chats"
    )


def calls_tools(choice: str) -> bool:
    return DEMONSTRATION_MODELS[choice].calls_tools


def start(choice: str, *arguments: str, port: int, log: Path) -> ChildProcess:
    """Serve the model; `arguments` are further ones of `python -m dev.demonstration_model serve`."""
    return ChildProcess(
        "The demonstration model",
        _command("serve", "--model", choice, "--cache", MODELS, "--port", str(port), *arguments),
        log=log,
    )


def settings(choice: str, port: int) -> dict[str, str]:
    """What tells the extension of the model: its address, and what a person would set for one that they know."""
    model = DEMONSTRATION_MODELS[choice]
    return {
        "COMFYUI_ASSISTANT_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "COMFYUI_ASSISTANT_MODEL": model.id,
        "COMFYUI_ASSISTANT_CONTEXT_WINDOW": str(model.window),
        "COMFYUI_ASSISTANT_PROFILE": "slim" if model.slim else "full",
        "COMFYUI_ASSISTANT_LABEL": model.label,
        "COMFYUI_ASSISTANT_NOTICE": model.notice,
    }


def warm_up(comfyui: str) -> None:
    """Let the model read what begins every request: on a processor that takes longer than the answer.

    The system message ends with how much is installed, and the tools follow: before the first scan it would end
    without, and nothing behind it could be used again. Best effort; without it the first answer is slower.
    """
    message = {"id": "warm-up", "role": "user", "parts": [{"type": "text", "text": "Hi"}]}
    request = urllib.request.Request(
        f"{comfyui}/api/chat",
        data=json.dumps({"messages": [message]}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with contextlib.suppress(OSError):
        urllib.request.urlopen(f"{comfyui}/api/environment/summary", timeout=SECONDS_TO_READ).close()
    with contextlib.suppress(OSError), urllib.request.urlopen(request, timeout=SECONDS_TO_READ) as reply:
        # Leaving at the first word ends the request at the model as well.
        while (line := reply.readline()) and b'"text-delta"' not in line:
            pass


def _command(*arguments: str | Path) -> list[str | Path]:
    return [venv_python(HOST_VENV), "-m", "dev.demonstration_model", *arguments]

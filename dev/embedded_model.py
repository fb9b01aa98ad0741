"""The embedded local model as `make run` uses it: fetched once into the cache, served by llama.cpp on this machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

from dev.comfyui import ENVIRONMENT
from dev.component import Component, Installation, SetUpFailed, ensure, file_texts, interpreter
from dev.places import CONSTRAINTS, HOST_VENV, MODELS, ROOT, venv_python
from dev.processes import ChildProcess
from engine.llm.embedded.models import EMBEDDED_MODELS

CHOICES = tuple(EMBEDDED_MODELS)
SERVER_PACKAGE = "xllamacpp"


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
            "The embedded model could not be fetched (the reason is above). What to do: run the same command again; "
            "or `make run MODEL=none`, and give the panel an endpoint of your own."
        )


def described(choice: str) -> str:
    return f"{EMBEDDED_MODELS[choice].label}: a small one, for a first look" + (
        "" if calls_tools(choice) else "; it only chats"
    )


def calls_tools(choice: str) -> bool:
    return EMBEDDED_MODELS[choice].calls_tools


def start(choice: str, *arguments: str, port: int, log: Path) -> ChildProcess:
    """Serve the model; `arguments` are further ones of `python -m engine.llm.embedded serve`."""
    return ChildProcess(
        "The embedded model",
        _command("serve", "--model", choice, "--cache", MODELS, "--port", str(port), *arguments),
        log=log,
    )


def settings(choice: str, port: int) -> dict[str, str]:
    return {
        "COMFYUI_ASSISTANT_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "COMFYUI_ASSISTANT_MODEL": EMBEDDED_MODELS[choice].id,
        "COMFYUI_ASSISTANT_EMBEDDED": "1",
    }


def _command(*arguments: str | Path) -> list[str | Path]:
    return [venv_python(HOST_VENV), "-m", "engine.llm.embedded", *arguments]

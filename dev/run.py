"""`make run`: a real ComfyUI with the panel in it, and a model to talk to."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dev import endpoint
from dev.comfyui import CHOSEN, COMFYUI_WITH_EXTENSION
from dev.comfyui_process import ComfyUIProcess, prepare_base
from dev.component import SetUpFailed, ensure
from dev.demonstration_model import service as demonstration_model
from dev.places import HOST_VENV, ROOT, RUN, shown, venv_python
from dev.processes import ChildProcess, ProcessFailed, free_port
from dev.vocabulary import TOKEN_VOCABULARY

PORT = 8188
DEMO_SCENARIO = "red-image"
DEMO_SECONDS_TO_START = 30
FIRST_MESSAGE = "make a red 64x64 image and save it"


@dataclass
class Model:
    """What answers in the panel: words for the terminal, settings for ComfyUI, and a process where it is ours."""

    words: str
    environment: dict[str, str] = field(default_factory=dict)
    process: ChildProcess | None = None
    first_message: str = FIRST_MESSAGE
    warm_up: Callable[[str], None] | None = None
    """To be called with ComfyUI's address, once it answers."""


def run() -> bool:
    ensure(COMFYUI_WITH_EXTENSION, TOKEN_VOCABULARY)
    prepare_base(RUN)
    return _open(_chosen_model)


def demo() -> bool:
    ensure(COMFYUI_WITH_EXTENSION, TOKEN_VOCABULARY)
    prepare_base(RUN)
    return _open(_scripted_model)


def _chosen_model() -> Model:
    asked = os.environ.get("MODEL") or ""
    if asked not in ("", "none", *demonstration_model.CHOICES):
        raise SetUpFailed(f"MODEL is “{asked}”; expected {', '.join(demonstration_model.CHOICES)} or none.")
    if asked == "none":
        return Model("none started; the panel asks for an endpoint")
    if not asked:
        if found := endpoint.configured(os.environ, ROOT / ".env", RUN):
            return Model(f"your endpoint, {found}")
        if found := endpoint.running_locally():
            return Model(found)
    choice = asked or demonstration_model.CHOICES[0]
    demonstration_model.fetch(choice)
    port = free_port()
    process = demonstration_model.start(choice, port=port, log=RUN / "model.log")
    return Model(
        demonstration_model.described(choice),
        demonstration_model.settings(choice, port),
        process,
        first_message=FIRST_MESSAGE if demonstration_model.calls_tools(choice) else "say hello",
        warm_up=demonstration_model.warm_up,
    )


def _scripted_model() -> Model:
    port = free_port()
    process = ChildProcess(
        "The scripted model",
        [
            venv_python(HOST_VENV),
            "-m",
            "dev.scripted",
            "--scenario",
            DEMO_SCENARIO,
            "--port",
            str(port),
        ],
        log=RUN / "model.log",
    )
    settings = {
        "COMFYUI_ASSISTANT_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "COMFYUI_ASSISTANT_MODEL": "scripted",
    }
    return Model(f"scripted: it plays the scenario “{DEMO_SCENARIO}” whatever you type", settings, process)


def _open(model_starter: Callable[[], Model]) -> bool:
    children: list[ChildProcess] = []
    with _ended_in_order(children):
        model = model_starter()
        if model.process:
            children.append(model.process)
        port = free_port(_asked_port())
        print(f"starting ComfyUI on port {port} …", flush=True)
        comfyui = ComfyUIProcess(
            RUN,
            port=port,
            log=RUN / "comfyui.log",
            cpu=not has_gpu(),
            arguments=shlex.split(os.environ.get("ARGS") or ""),
            environment=model.environment,
        )
        children.append(comfyui)
        comfyui.wait_until_ready()
        _say_where(comfyui, model)
        if model.warm_up:
            threading.Thread(target=model.warm_up, args=(comfyui.url,), daemon=True).start()
        _watch(children)
    print("stopped")
    return True


def _asked_port() -> int:
    asked = os.environ.get("PORT") or str(PORT)
    if not asked.isdigit() or not 0 < int(asked) < 65536:
        raise SetUpFailed(f"PORT is “{asked}”; expected a number such as {PORT}.")
    return int(asked)


def _say_where(comfyui: ComfyUIProcess, model: Model) -> None:
    print(
        f"\n  Open    {comfyui.url}\n"
        f"  ComfyUI {CHOSEN.version}{'' if CHOSEN.is_pinned else f' in {shown(CHOSEN.source)}'}\n"
        f"  Model   {model.words}\n"
        f"  Try     press Alt+A for the assistant and type: {model.first_message}\n"
        f"  Logs    {shown(comfyui.log)}; Ctrl+C stops everything\n",
        flush=True,
    )


class _Stop(Exception):
    pass


@contextlib.contextmanager
def _ended_in_order(children: list[ChildProcess]) -> Iterator[None]:
    """End the children, newest first, however the block is left; Ctrl+C and SIGTERM leave it quietly."""

    def stop(_number: int, _frame: object) -> None:
        # A second Ctrl+C must not interrupt the ending of the children.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        raise _Stop

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with contextlib.suppress(_Stop):
            yield
    finally:
        for child in reversed(children):
            child.stop()
        for number, handler in before.items():
            signal.signal(number, handler)


def _watch(children: list[ChildProcess]) -> None:
    """Wait until a signal comes. Raises ProcessFailed when one of the children ends by itself."""
    while True:
        time.sleep(1)
        if ended := next((child for child in children if not child.is_running()), None):
            raise ProcessFailed(f"{ended.title} ended by itself.\n{ended.log_end()}")


def has_gpu() -> bool:
    """Whether PyTorch can use an accelerator; asked only where there is a sign of one, since asking takes seconds."""
    signs = (Path("/dev/nvidia0"), Path("/dev/kfd"), Path("/dev/dxg"))
    if sys.platform != "darwin" and not any(sign.exists() for sign in signs):
        return False
    code = "import sys, torch; sys.exit(not (torch.cuda.is_available() or torch.backends.mps.is_available()))"
    return (
        subprocess.run([venv_python(CHOSEN.venv), "-c", code], capture_output=True, check=False).returncode
        == 0
    )

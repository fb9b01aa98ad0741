"""llama.cpp's own HTTP server, out of the xllamacpp package, over one model in the cache."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

from .errors import DemonstrationModelError
from .models import DemonstrationModel

HOST = "127.0.0.1"

LONGEST_REPLY = 384
"""Tokens of a reply whose request names no limit: a small model that repeats itself would fill the whole window."""
_BATCH = 256
_PROMPT_CACHE = 512
"""MiB of main memory for the prompts of earlier conversations; llama.cpp's own default is 8 GiB."""


def check_can_serve(port: int) -> None:
    """To be asked before a model is fetched.

    Raises:
        DemonstrationModelError: llama.cpp is not installed, or the port is taken.
    """
    _llama()
    _check_port(port)


def serve(
    model: DemonstrationModel, path: Path, *, port: int, threads: int, longest_reply: int = LONGEST_REPLY
) -> NoReturn:
    """Answer at http://127.0.0.1:<port>/v1 until SIGTERM or SIGINT, which end the process."""
    llama = _llama()
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stopped.set())
    server = llama.Server(
        _parameters(llama, model, path, port=port, threads=threads, longest_reply=longest_reply)
    )
    print(f"{model.label} answers at {server.listening_address}/v1", flush=True)
    # Waiting without an end would keep Ctrl+C from arriving on Windows.
    while not stopped.wait(1.0):
        pass
    # The server's own clean-up waits for a request under way, at times for ever; there is nothing to save.
    sys.stdout.flush()
    os._exit(0)


def default_threads() -> int:
    """One per physical core that this process may use: a second thread on a core only slows llama.cpp down."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        physical = importlib.import_module("psutil").cpu_count(logical=False)
    except ImportError:
        physical = None
    return max(1, min(allowed, physical or allowed))


def _parameters(
    llama: Any, model: DemonstrationModel, path: Path, *, port: int, threads: int, longest_reply: int
) -> Any:
    parameters = llama.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {model.id}
    parameters.hostnames = [HOST] if isinstance(parameters.hostnames, (list, set, tuple)) else HOST
    parameters.port = port
    parameters.n_ctx = model.window
    parameters.n_parallel = 1
    parameters.n_predict = longest_reply
    parameters.sampling.temp = model.temperature
    # Between two batches the server notices that its client has left.
    parameters.n_batch = parameters.n_ubatch = _BATCH
    parameters.cache_ram_mib = _PROMPT_CACHE
    parameters.ui = parameters.endpoint_slots = False
    parameters.cors_origins = ""
    parameters.use_jinja = True
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    if model.chat_template is not None:
        parameters.chat_template = model.chat_template.read_text(encoding="utf-8")
    return parameters


def _llama() -> Any:
    try:
        return importlib.import_module("xllamacpp")
    except ImportError as error:
        raise DemonstrationModelError(
            f"The package xllamacpp, which runs the model, is not installed for {sys.executable} ({error}). "
            f'What to do: {sys.executable} -m pip install "xllamacpp>=2026.10".'
        ) from error


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise DemonstrationModelError(
                f"Port {port} cannot be used ({error.strerror}). What to do: give another one with --port."
            ) from error

"""A real model on this machine, served by llama.cpp as `make run` does it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from dev.demonstration_model import service as demonstration_model
from dev.processes import ChildProcess, free_port

SECONDS_TO_LOAD = 120
SECONDS_TO_ANSWER = 240


@contextlib.contextmanager
def serving(choice: str, *arguments: str, log: Path) -> Iterator[int]:
    """Serve that demonstration model; `arguments` are further ones of its command. Gives the port."""
    port = free_port()
    process: ChildProcess = demonstration_model.start(choice, *arguments, port=port, log=log)
    try:
        process.wait_until_it_answers(f"http://127.0.0.1:{port}/health", seconds=SECONDS_TO_LOAD)
        yield port
    finally:
        process.stop()

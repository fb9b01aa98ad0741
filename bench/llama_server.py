"""llama.cpp's server over a demonstration model, as the benchmarks ask it."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dev.places import HOST_VENV, venv_python
from dev.processes import ChildProcess, free_port


@dataclass(frozen=True)
class Prompt:
    """What the server says of one prompt: its tokens, and how many of them its cache had."""

    tokens: int
    cached: int

    @property
    def evaluated(self) -> int:
        return self.tokens - self.cached


@contextlib.contextmanager
def running(name: str, *, niceness: int = 0) -> Iterator[str]:
    """The address of a fresh server over the demonstration model of that name, which is shown tools.

    Its prompt cache is empty. `niceness` is for who counts and does not time: other work goes first.
    """
    port = free_port()
    with TemporaryDirectory() as folder:
        server = ChildProcess(
            f"The demonstration model {name}",
            [
                "nice",
                "-n",
                str(niceness),
                venv_python(HOST_VENV),
                "-m",
                "bench.template_server",
                name,
                str(port),
            ],
            log=Path(folder) / "server.log",
        )
        try:
            url = f"http://127.0.0.1:{port}"
            server.wait_until_it_answers(f"{url}/v1/models", seconds=120)
            yield url
        finally:
            server.stop()


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    with _opened(url, body) as response:
        return json.load(response)


def first_token(url: str, body: dict[str, Any]) -> tuple[Prompt, float]:
    """Ask for one token: what was read for it, and the milliseconds until it came."""
    started = time.perf_counter()
    whole = {**body, "max_tokens": 1, "stream": True, "stream_options": {"include_usage": True}}
    with _opened(f"{url}/v1/chat/completions", whole) as response:
        first = response.readline()
        took = 1_000 * (time.perf_counter() - started)
        return prompt_of([first, *response]), took


def prompt_of(lines: Iterable[bytes]) -> Prompt:
    """What a streamed reply says of its prompt.

    Raises:
        ValueError: it says nothing, or its two accounts differ.
    """
    chunks = [json.loads(line[6:]) for line in lines if line.startswith(b"data: {")]
    told = next((chunk for chunk in reversed(chunks) if "usage" in chunk), None)
    if told is None:
        raise ValueError(f"The reply has no usage; its chunks are {chunks}.")
    usage, timings = told["usage"], told["timings"]
    found = Prompt(usage["prompt_tokens"], usage["prompt_tokens_details"]["cached_tokens"])
    if (timings["cache_n"], timings["prompt_n"]) != (found.cached, found.evaluated):
        raise ValueError(f"The reply's usage {usage} does not agree with its timings {timings}.")
    return found


def _opened(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return urllib.request.urlopen(request, timeout=300)

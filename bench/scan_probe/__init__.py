"""A custom node package for the benchmark of scanning: runs inside ComfyUI, and answers `GET /scan-probe`.

It imports the engine as it lies in the repository, and ComfyUI's server. It brings as many node types as a person with
fifteen large packages has, some of which list every file dozens of times.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from aiohttp import web
from server import PromptServer

sys.path.insert(0, os.environ["SCAN_PROBE_ROOT"])

from engine.comfy.comfy import RunningComfy
from engine.comfy.scan import EnvironmentScanner

TICK = 0.001
FILES = [f"folder/some style of number {number}.safetensors" for number in range(2_000)]
PLAIN_TYPES, STACKS, SLOTS_OF_A_STACK = 1_400, 10, 51


def _node_type(name: str, inputs: Callable[[], dict[str, tuple[object, ...]]]) -> type:
    described = classmethod(lambda _: {"required": inputs()})
    return type(name, (), {"INPUT_TYPES": described, "RETURN_TYPES": ("IMAGE",), "CATEGORY": "probe"})


def _plain() -> dict[str, tuple[object, ...]]:
    tooltip = {"tooltip": "What this input is for, in a sentence."}
    return {"image": ("IMAGE", tooltip), "strength": ("FLOAT", {"default": 1.0, **tooltip})}


def _stack() -> dict[str, tuple[object, ...]]:
    return {f"file_{number}": (["None", *FILES],) for number in range(SLOTS_OF_A_STACK)}


NODE_CLASS_MAPPINGS: dict[str, type] = {
    **{f"ProbePlain{number}": _node_type(f"ProbePlain{number}", _plain) for number in range(PLAIN_TYPES)},
    **{f"ProbeStack{number}": _node_type(f"ProbeStack{number}", _stack) for number in range(STACKS)},
}


async def _stops(until: asyncio.Future[Any]) -> list[float]:
    """How many milliseconds longer than asked each short sleep took, while something else goes on."""
    stops = []
    while not until.done():
        before = time.perf_counter()
        await asyncio.sleep(TICK)
        stops.append((time.perf_counter() - before - TICK) * 1_000)
    return stops


@PromptServer.instance.routes.get("/scan-probe")
async def probe(_: web.Request) -> web.Response:
    scanner = EnvironmentScanner(RunningComfy())
    began = time.perf_counter()
    scan = asyncio.ensure_future(scanner.snapshot())
    during = await _stops(scan)
    seconds = time.perf_counter() - began
    idle = await _stops(asyncio.ensure_future(asyncio.sleep(seconds)))
    environment = await scan
    return web.json_response(
        {"nodeTypes": len(environment.nodes), "seconds": seconds, "during": during, "idle": idle}
    )

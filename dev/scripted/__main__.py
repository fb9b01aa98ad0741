"""`python -m dev.scripted --scenario red-image`: a model made of files, to try the panel without a model."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from pathlib import Path

from .provider import ScriptedProvider
from .scenario_files import ScenarioError, load_scenario, scenario_names


def main() -> int:
    options = _parser().parse_args()
    if options.list:
        names = scenario_names()
        width = max(map(len, names))
        print("\n".join(f"{name:{width}}  {load_scenario(name).about}" for name in names))
        return 0
    scenario = Path(options.scenario) if options.scenario.endswith((".yaml", ".yml")) else options.scenario
    try:
        provider = ScriptedProvider(scenario, port=options.port, chunking=options.chunking)
        asyncio.run(_serve(provider, options.scenario))
    except (ScenarioError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"Port {options.port} cannot be used: {error}. Give another one with --port, or 0 for any free one.",
            file=sys.stderr,
        )
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dev.scripted", description=__doc__)
    parser.add_argument("--scenario", default="red-image", help="a name from --list, or a .yaml file")
    parser.add_argument("--port", type=int, default=8765, help="0 takes any free port (default 8765)")
    parser.add_argument("--chunking", default="events", help="events, whole, bytes or random:<seed>")
    parser.add_argument("--list", action="store_true", help="show the scenarios and stop")
    return parser


async def _serve(provider: ScriptedProvider, name: str) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in its event loop.
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopped.set)
    async with provider:
        print(
            f"Playing {name} at {provider.base_url} (any API key, model "
            '"scripted", or "scripted/<scenario>" for another one). Ctrl+C stops it.',
            flush=True,
        )
        await stopped.wait()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)

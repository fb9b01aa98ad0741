"""`python -m dev.demonstration_model`: fetch a small model, and serve it on this machine."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from .errors import DemonstrationModelError
from .fetch import fetch, model_path
from .models import DEMONSTRATION_MODELS, DemonstrationModel
from .progress import ProgressBar
from .serve import LONGEST_REPLY, check_can_serve, default_threads, serve

_CACHE = Path(".cache") / "models"


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        if options.command == "list":
            print("\n".join(_described(model, options.cache) for model in DEMONSTRATION_MODELS.values()))
        elif options.command == "fetch":
            _fetch(DEMONSTRATION_MODELS[options.model], options.cache)
        else:
            model = DEMONSTRATION_MODELS[options.model]
            check_can_serve(options.port)
            path = _fetch(model, options.cache)
            serve(
                replace(model, window=options.window or model.window),
                path,
                port=options.port,
                threads=options.threads or default_threads(),
                longest_reply=options.longest_reply,
            )
    except DemonstrationModelError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped; the same command goes on where it was.", file=sys.stderr)
        return 130
    return 0


def _fetch(model: DemonstrationModel, cache: Path) -> Path:
    if found := model_path(model, cache):
        return found
    bar = ProgressBar(f"Fetching {model.label}", model.bytes, sys.stderr)
    try:
        return fetch(model, cache, report=bar)
    finally:
        bar.close()


def _described(model: DemonstrationModel, cache: Path) -> str:
    there = "fetched" if model_path(model, cache) else "not fetched"
    return f"{model.name:6} {model.label}, {model.bytes / 1e6:,.0f} MB, {there}, {model.licence}\n       {model.notice}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dev.demonstration_model", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="what there is")
    fetching = commands.add_parser("fetch", help="download a model into the cache, unless it is there")
    serving = commands.add_parser("serve", help="serve a model until Ctrl+C; fetches it first if need be")
    for command in (fetching, serving):
        command.add_argument(
            "--model", choices=list(DEMONSTRATION_MODELS), default=next(iter(DEMONSTRATION_MODELS))
        )
    for command in (listing, fetching, serving):
        command.add_argument("--cache", type=Path, default=_CACHE, help=f"default {_CACHE}")
    serving.add_argument(
        "--threads", type=int, help="default one per core; 1 is faster while others use the cores"
    )
    serving.add_argument(
        "--longest-reply",
        type=int,
        default=LONGEST_REPLY,
        help=f"tokens of a reply whose request names no limit; default {LONGEST_REPLY}",
    )
    serving.add_argument("--window", type=int, help="tokens of a conversation; default the model's own")
    serving.add_argument("--port", type=int, default=8080, help="default 8080, where llama.cpp is looked for")
    return parser


if __name__ == "__main__":
    sys.exit(main())

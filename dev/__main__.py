"""`python -m dev <command>`: the commands behind the Makefile."""

from __future__ import annotations

import sys
from collections.abc import Callable

from dev.chosen import name_newest
from dev.component import SetUpFailed
from dev.processes import ProcessFailed

OLDEST_PYTHON = (3, 11)


def main(command: str, *arguments: str) -> int:
    try:
        name_newest()
    except SetUpFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    # What the commands stand on is the ComfyUI that is named by now.
    from dev import commands

    run: Callable[..., bool] | None = commands.COMMANDS.get(command)
    if run is None:
        print(f"No command “{command}”; there are: {', '.join(commands.COMMANDS)}.", file=sys.stderr)
        return 2
    try:
        return 0 if run(*arguments) else 1
    except (SetUpFailed, ProcessFailed) as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(
            f"Python {sys.version.split()[0]} was found; expected 3.11 or newer. Try: make PYTHON=python3.11 …"
        )
    sys.exit(main(*(sys.argv[1:] or ["help"])))

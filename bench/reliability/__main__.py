"""`python -m bench.reliability [names]`: each trial in its short form, or `--nightly` in its long one."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import random
import sys
import time
from dataclasses import dataclass, replace

from bench.report import Report
from dev.places import ROOT

DOCUMENT = ROOT / "docs" / "reliability.md"
INTRODUCTION = """# Reliability

What was done to the assistant, how often, and what was lost by it. Each block is written by the command that it names,
with a seed, so that the same faults come again: `make reliability` in about three minutes, `make test` with
smaller numbers, and `make reliability-nightly` with the large ones. Times depend on the machine.
"""


@dataclass(frozen=True)
class Amount:
    """How much is tried in `make test` (0: nothing), in `make reliability` and at night."""

    test: int
    short: int
    nightly: int


AMOUNTS = {
    "fuzz": Amount(2_000, 20_000, 1_000_000),
    "kills": Amount(2, 6, 1_000),
    "damage": Amount(10, 45, 1_000),
    "cuts": Amount(300, 1_200, 1_000_000),
    "chunkings": Amount(0, 1, 20),
    "load": Amount(0, 4, 60),
    "leaving": Amount(25, 100, 500),
}
"""Requests, kills, copies, cuts, random chunkings of each scenario, seconds of load, clients that leave."""


def main() -> int:
    options = _parser().parse_args()
    missed = 0
    for name in options.names or [name for name, each in AMOUNTS.items() if each.test or not options.is_test]:
        report = _report(name, options)
        print(report.as_text(), end="\n\n", flush=True)
        if not options.is_test:
            report.write(DOCUMENT, introduction=INTRODUCTION)
        missed += sum(not (figure.is_time and options.is_test) for figure in report.missed())
    return 1 if missed else 0


def _report(name: str, options: argparse.Namespace) -> Report:
    amounts = AMOUNTS[name]
    amount = amounts.nightly if options.is_nightly else amounts.test if options.is_test else amounts.short
    trial = importlib.import_module(f"bench.reliability.{name}")
    began = time.monotonic()
    report = asyncio.run(trial.measure(options.amount or amount, random.Random(options.seed)))
    seconds = time.monotonic() - began
    form = "-nightly" if options.is_nightly else ""
    arguments = " ".join(
        [
            name,
            *([f"--amount {options.amount}"] if options.amount else []),
            *([f"--seed {options.seed}"] if options.seed != 1 else []),
        ]
    )
    return replace(
        report,
        name=f"{name}{form}",
        title=f"{report.title}{', nightly' if form else ''}",
        command=f'make reliability{form} ARGS="{arguments}"',
        how=f"{report.how} It took {seconds:.0f} s.",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.reliability", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*AMOUNTS, []], metavar="name")
    parser.add_argument("--nightly", action="store_true", dest="is_nightly")
    parser.add_argument("--amount", type=int, help="instead of the amount of the form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--test",
        action="store_true",
        dest="is_test",
        help="as a part of make test: less is tried, docs/reliability.md stays as it is, times count for nothing",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())

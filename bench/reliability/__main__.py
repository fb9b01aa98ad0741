"""`python -m bench.reliability [names]`: each trial in its short form, or `--nightly` in its long one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context

from bench.report import Report
from dev.places import ROOT

from .trial import try_out

DOCUMENT = ROOT / "docs" / "reliability.md"
INTRODUCTION = """# Reliability

What was done to the assistant, how often, and what was lost by it. Each block is written by the command that it names,
with a seed, so that the same faults come again: `make reliability` in about two minutes, which `make test` runs
too, and `make reliability-nightly` with the large numbers. Times depend on the machine.
"""


@dataclass(frozen=True)
class Amount:
    short: int
    nightly: int


AMOUNTS = {
    "fuzz": Amount(20_000, 1_000_000),
    "kills": Amount(6, 1_000),
    "damage": Amount(45, 1_000),
    "cuts": Amount(1_200, 1_000_000),
    "chunkings": Amount(1, 20),
    "load": Amount(4, 60),
    "leaving": Amount(100, 500),
}
"""Requests, kills, copies, cuts, random chunkings of each scenario, seconds of load, clients that leave. The longest
stands first, since it begins first."""


ALONE = ("load",)
"""What other trials beside it would change."""
AT_ONCE = 2


def main() -> int:
    options = _parser().parse_args()
    missed = 0
    for report in _reports(_amounts(options), options):
        print(report.as_text(), end="\n\n", flush=True)
        if not options.is_test:
            report.write(DOCUMENT, introduction=INTRODUCTION)
        missed += sum(not (figure.is_time and options.is_test) for figure in report.missed())
    return 1 if missed else 0


def _amounts(options: argparse.Namespace) -> dict[str, int]:
    """What is tried, and how often."""
    of_form = {name: each.nightly if options.is_nightly else each.short for name, each in AMOUNTS.items()}
    return {name: options.amount or of_form[name] for name in options.names or of_form}


def _reports(amounts: Mapping[str, int], options: argparse.Namespace) -> Iterator[Report]:
    """In the short form several at once, each in a process of its own; what measures times is then alone."""
    together = [] if options.is_nightly else [name for name in amounts if name not in ALONE]
    with ProcessPoolExecutor(AT_ONCE, get_context("spawn")) as processes:
        tried = {processes.submit(try_out, name, amounts[name], options.seed): name for name in together}
        for each in as_completed(tried):
            yield _named(each.result(), tried[each], options)
    for name, amount in amounts.items():
        if name not in together:
            yield _named(try_out(name, amount, options.seed), name, options)


def _named(tried: tuple[Report, float], name: str, options: argparse.Namespace) -> Report:
    report, seconds = tried
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
        help="as a part of make test: docs/reliability.md stays as it is, and times count for nothing",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())

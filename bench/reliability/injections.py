"""A model that does what it reads, and nobody clicks."""

from __future__ import annotations

import random

from bench.report import Figure, Report

from .of_tests import counts_of_vitest, report


async def measure(_: int, __: random.Random) -> Report:
    counts = await counts_of_vitest("src/app/injections.slow.test.ts")
    return report(
        "injections",
        "Orders in texts by others",
        "A model obeys orders that stand in texts by others, with the product's own tools on a graph in memory, in Ask "
        "and in Auto mode; nobody answers what is asked.",
        "orders with an effect, or not asked about with where the text stood",
        counts,
        Figure("places where such a text stood", f"{counts['places']:,}"),
    )

"""Addresses of this machine and of local networks, in every spelling."""

from __future__ import annotations

import random

from bench.report import Report

from .of_tests import counts_of_pytest, report


async def measure(_: int, __: random.Random) -> Report:
    return report(
        "addresses",
        "Addresses that lead inwards",
        "Addresses of this machine and of local networks in every spelling: entered as a model server's, given by a "
        "host of downloads as where to go on, and as what a name leads to when it is connected to.",
        "addresses read as another one, followed or connected to",
        await counts_of_pytest("tests/test_spelled_addresses.py"),
    )

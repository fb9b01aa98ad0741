"""Keys of tests, looked for in everything that the unit tests log, answer and write."""

from __future__ import annotations

import random

from bench.report import Report

from .of_tests import counts_of_pytest, report


async def measure(_: int, __: random.Random) -> Report:
    return report(
        "keys",
        "Keys that turn up",
        "All unit tests with their logs at DEBUG: what is logged, what a route answers, and each file that is left but "
        "settings.json, is searched for the tests' own keys.",
        "logs, answers and files in which a key stood",
        await counts_of_pytest("tests", "--ignore=tests/host"),
        tried="looked at",
        lost="keys",
    )

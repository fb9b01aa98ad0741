"""One trial, in a process of its own or in this one."""

from __future__ import annotations

import asyncio
import importlib
import random
import time

from bench.report import Report


def try_out(name: str, amount: int, seed: int) -> tuple[Report, float]:
    """What the trial of that name found, and how many seconds it took."""
    began = time.monotonic()
    trial = importlib.import_module(f"bench.reliability.{name}")
    report = asyncio.run(trial.measure(amount, random.Random(seed)))
    return report, time.monotonic() - began

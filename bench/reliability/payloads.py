"""Texts that would run or load something where they are shown, in a real ComfyUI and a real browser."""

from __future__ import annotations

import random

from bench.report import Figure, Report

from .of_tests import counts_of_pytest, report


async def measure(_: int, __: random.Random) -> Report:
    counts = await counts_of_pytest("tests/host/test_payloads.py")
    return report(
        "payloads",
        "Texts that would run when they are shown",
        "Scripts, pictures from elsewhere, frames and styles as text in every place of the panel that shows what "
        "others wrote, in Chromium on a real ComfyUI.",
        "texts that ran, loaded or became an element",
        counts,
        Figure("places that were looked at", f"{counts['places']:,}"),
    )

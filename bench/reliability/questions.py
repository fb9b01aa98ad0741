"""How often runs of ComfyUI's own templates are asked about in vain."""

from __future__ import annotations

import random
from dataclasses import replace

from bench.report import Figure, Report

from .of_tests import counts_of_pytest, report

MOST_IN_VAIN = 0.02


async def measure(_: int, __: random.Random) -> Report:
    counts = await counts_of_pytest("tests/host/test_template_questions.py", "--all-templates")
    share = counts["lost"] / max(1, counts["tried"])
    made = report(
        "questions",
        "Questions in vain",
        "Each official template with nothing but ComfyUI's own nodes, loaded and run in a real ComfyUI. What costs "
        "money is asked about rightly.",
        "",
        counts,
    )
    in_vain = Figure(
        "runs asked about in vain",
        f"{counts['lost']:,} of {counts['tried']:,}",
        goal=f"≤ {MOST_IN_VAIN:.0%}",
        reached=share <= MOST_IN_VAIN,
    )
    return replace(made, figures=[in_vain, *made.figures[1:]])

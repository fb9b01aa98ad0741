"""What tests counted of themselves, as a block: each writes into its report how much it tried, and how much was lost.

In pytest by `record_property("tried", …)`, in vitest by `task.meta`; a test that fails and says nothing lost one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from bench.report import Figure, Report, none_of
from dev.places import BIN, ROOT

Counts = Counter[str]
"""`tests`, `failed`, and the sums of what they wrote: `tried`, `lost` …"""


async def counts_of_pytest(*arguments: str) -> Counts:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tests.xml"
        command = (sys.executable, "-m", "pytest", "-q", f"--junitxml={file}", *arguments)
        return await _counted(command, ROOT, lambda: read_junit(file.read_text("utf-8")))


async def counts_of_vitest(test: str) -> Counts:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tests.json"
        command = ("npx", "vitest", "run", test, "--reporter=json", f"--outputFile={file}")
        return await _counted(command, ROOT / "ui", lambda: read_vitest(file.read_text("utf-8")))


async def _counted(command: Sequence[str | Path], folder: Path, read: Callable[[], Counts]) -> Counts:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    try:
        return read()
    except FileNotFoundError:
        raise RuntimeError(
            f"The tests wrote no report:\n{output.decode(errors='replace')[-3_000:]}"
        ) from None


def read_junit(text: str) -> Counts:
    counts: Counts = Counter()
    for case in ET.fromstring(text).iter("testcase"):
        if case.find("skipped") is not None:
            continue
        own = {each.get("name"): each.get("value") for each in case.iter("property")}
        has_failed = case.find("failure") is not None or case.find("error") is not None
        if has_failed:
            print(f"failed: {case.get('classname')}::{case.get('name')}")
        _add(counts, own, has_failed=has_failed)
    return counts


def read_vitest(text: str) -> Counts:
    counts: Counts = Counter()
    for file in json.loads(text)["testResults"]:
        for case in file["assertionResults"]:
            _add(counts, case.get("meta") or {}, has_failed=case["status"] == "failed")
    return counts


def _add(counts: Counts, own: Mapping[Any, Any], *, has_failed: bool) -> None:
    numbers = {str(name): int(value) for name, value in own.items() if str(value).isdigit()}
    counts.update(numbers)
    counts["tests"] += 1
    counts["failed"] += has_failed
    if has_failed and not numbers.get("lost"):
        counts["lost"] += 1


def report(
    name: str,
    title: str,
    how: str,
    what: str,
    counts: Counts,
    *more: Figure,
    tried: str = "tried",
    lost: str = "lost",
) -> Report:
    """`tried` and `lost` are the names of the two figures."""
    tests = f"{counts['failed']:,} of {counts['tests']:,}"
    return Report(
        name=name,
        title=title,
        how=how,
        figures=[
            none_of(what, counts[lost], counts[tried]),
            *more,
            Figure("tests that failed", tests, goal="0", reached=not counts["failed"]),
        ],
    )

"""What a scan of everything installed costs the event loop that ComfyUI serves its page from."""

from __future__ import annotations

import json
import statistics
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from bench.report import Figure, Report, at_most
from dev.comfyui import SOURCE
from dev.comfyui_process import ComfyUIProcess, prepare_base
from dev.component import ensure
from dev.places import ROOT
from dev.processes import free_port

SCANS = 10


def measure() -> Report:
    ensure(SOURCE)
    scans = _scans()
    longest = [max(scan["during"]) for scan in scans]
    return Report(
        name="scanning",
        title="Scanning what is installed",
        how=(
            f"{SCANS} full scans inside a real ComfyUI with {scans[0]['nodeTypes']} node types, its own and such as "
            "large packages bring (/object_info has over 30 MB), from the first node definition to the search index. "
            "Meanwhile the event loop sleeps 1 ms at a time: what is measured is how much longer each sleep took, and "
            "as long without a scan. A full garbage collection stops every thread of the process, here for a quarter "
            "of a second; Python begins one now and then, whoever allocates."
        ),
        figures=[
            Figure("one scan", f"{statistics.median(scan['seconds'] for scan in scans) * 1_000:,.0f} ms"),
            at_most("longest stop of the event loop in a scan, median", statistics.median(longest), 20, "ms"),
            Figure("the same, worst of all scans", f"{max(longest):.1f} ms"),
            Figure("longest stop without a scan", f"{max(max(scan['idle']) for scan in scans):.1f} ms"),
        ],
    )


def _scans() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        prepare_base(base, extension=None)
        (base / "custom_nodes" / "scan-probe").symlink_to(ROOT / "bench" / "scan_probe")
        process = ComfyUIProcess(
            base,
            port=free_port(),
            log=base / "comfyui.log",
            environment={"SCAN_PROBE_ROOT": str(ROOT)},
        )
        try:
            process.wait_until_ready()
            return [_scan(process.url) for _ in range(SCANS)]
        finally:
            process.stop()


def _scan(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/scan-probe", timeout=60) as answer:
        return json.load(answer)

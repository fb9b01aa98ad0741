"""How much code there is, by area, and what users install."""

from __future__ import annotations

import subprocess
from collections import Counter

from bench.report import Figure, Report
from dev.places import ROOT

NO_PRODUCT = ("dev", "bench", "tests, Python", "tests and fakes, panel")


def area_of(path: str) -> str | None:
    """Name the area in which a file's lines count; None where they do not."""
    parts = path.split("/")
    if path.endswith(".py"):
        if len(parts) == 1:
            return "root modules"
        room = "/".join(parts[: 2 if len(parts) > 2 else 1])
        return {"engine": room, "tests": "tests, Python"}.get(parts[0], parts[0])
    if parts[0] != "ui" or not path.endswith((".ts", ".tsx", ".css")):
        return None
    if path.endswith(".css"):
        return "ui, style sheets"
    if _is_panel_test(path):
        return "tests and fakes, panel"
    return (
        "/".join(parts[:3])
        if path.startswith(("ui/src/graph/", "ui/src/tools/", "ui/src/comfy/"))
        else "ui, the rest"
    )


def _is_panel_test(path: str) -> bool:
    """Tests, and the fakes and behaviours that stand beside the real thing for them."""
    name = path.rpartition("/")[2]
    return (
        ".test." in name
        or "/behaviours" in path
        or "/testing/" in path
        or name.startswith(("fake", "test", "random"))
    )


def measure() -> Report:
    files = _tracked()
    lines: Counter[str] = Counter()
    for path in files:
        if area := area_of(path):
            lines[area] += len((ROOT / path).read_text("utf-8").splitlines())
    left_out = set(_tracked("--ignored", "--exclude-from=.comfyignore"))
    installed = [path for path in files if path not in left_out]
    product = sum(count for area, count in lines.items() if area not in NO_PRODUCT)
    return Report(
        name="product-size",
        title="Size of the product",
        how="Lines of the files that git has, and what `.comfyignore` leaves of them for a package.",
        figures=[
            *(Figure(f"{area}, lines", f"{count:,}") for area, count in sorted(lines.items())),
            Figure("product (all but dev, bench and tests), lines", f"{product:,}"),
            Figure("installed files", f"{len(installed):,}"),
            Figure(
                "installed, raw", f"{sum((ROOT / path).stat().st_size for path in installed) / 1e6:,.2f} MB"
            ),
        ],
    )


def _tracked(*options: str) -> list[str]:
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--cached", *options), cwd=ROOT, check=True, capture_output=True, text=True
    )
    return listed.stdout.split("\0")[:-1]

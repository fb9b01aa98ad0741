"""How much a browser loads: the entry of every page, and the panel."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench.report import Figure, Report, at_most
from dev.component import ensure
from dev.places import BIN, ROOT
from dev.python_tools import PANEL_PACKAGES

ENTRY = ROOT / "js" / "assistant.js"
CHUNKS = ROOT / "js" / "chunks"
BROTLI = """
const { brotliCompressSync } = require("node:zlib");
const { readFileSync } = require("node:fs");
for (const file of process.argv.slice(1)) console.log(brotliCompressSync(readFileSync(file)).length);
"""


def measure() -> Report:
    ensure(PANEL_PACKAGES)
    chunks = sorted(CHUNKS.glob("*.mjs"))
    sizes = {path.name.split("-")[0]: size for path, size in zip(chunks, brotli_sizes(chunks), strict=True)}
    return Report(
        name="panel-size",
        title="Panel size",
        how=(
            "Sizes of the committed `js/`. ComfyUI's page imports only the entry, and a few kB for what it says of a "
            "workflow that lacks something. All else loads when the panel is opened for the first time: one file of "
            "ours, and one with the libraries, which an update of ours leaves in the browser's cache. Brotli at its "
            "highest level, as Node compresses."
        ),
        figures=[
            at_most("entry, raw", ENTRY.stat().st_size / 1000, 4, "kB", 2),
            at_most("panel, brotli", sizes["panel"] / 1000, 260, "kB"),
            at_most("libraries, brotli", sizes["vendor"] / 1000, 240, "kB"),
            Figure("all chunks, brotli", f"{sum(sizes.values()) / 1000:,.1f} kB"),
            Figure("all chunks, raw", f"{sum(file.stat().st_size for file in chunks) / 1000:,.0f} kB"),
        ],
    )


def brotli_sizes(files: list[Path]) -> list[int]:
    printed = subprocess.run(
        [BIN / "node", "-e", BROTLI, *files], capture_output=True, text=True, check=True
    ).stdout
    return [int(line) for line in printed.split()]

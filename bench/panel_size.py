"""How much a browser loads: the entry that every ComfyUI page imports, and the panel that opens on demand."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench.report import Figure, Report, at_most
from dev.component import ensure
from dev.places import BIN, ROOT
from dev.python_tools import NODE

ENTRY = ROOT / "js" / "assistant.js"
CHUNKS = ROOT / "js" / "chunks"
BROTLI = """
const { brotliCompressSync } = require("node:zlib");
const { readFileSync } = require("node:fs");
for (const file of process.argv.slice(1)) console.log(brotliCompressSync(readFileSync(file)).length);
"""


def measure() -> Report:
    ensure(NODE)
    loaded = sorted(path for path in CHUNKS.iterdir() if path.suffix in (".mjs", ".css"))
    return Report(
        name="panel-size",
        title="Panel size",
        how=(
            "Sizes of the committed `js/`. ComfyUI's page imports only the entry; the chunks load when the panel is "
            "opened for the first time. Brotli at its highest level, as Node compresses."
        ),
        figures=[
            at_most("entry, raw", ENTRY.stat().st_size / 1000, 3, "kB", 2),
            at_most("panel, brotli", sum(brotli_sizes(loaded)) / 1000, 270, "kB"),
            Figure("panel, raw", f"{sum(file.stat().st_size for file in loaded) / 1000:,.0f} kB"),
        ],
    )


def brotli_sizes(files: list[Path]) -> list[int]:
    printed = subprocess.run(
        [BIN / "node", "-e", BROTLI, *files], capture_output=True, text=True, check=True
    ).stdout
    return [int(line) for line in printed.split()]

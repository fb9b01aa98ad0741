"""How much a browser loads: the entry of every page, what the composer needs, and the views on demand."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from bench.report import Figure, Report, at_most
from dev.component import ensure
from dev.places import BIN, ROOT
from dev.python_tools import PANEL_PACKAGES

ENTRY = ROOT / "js" / "assistant.js"
CHUNKS = ROOT / "js" / "chunks"
OF_A_CHAT = ("mountPanel-", "pageAccess-", "Markdown-")
OF_TOOLS = ("readOpen-", "calls-", "execute-", "riskyNodes-", "bound-")
BROTLI = """
const { brotliCompressSync } = require("node:zlib");
const { readFileSync } = require("node:fs");
for (const file of process.argv.slice(1)) console.log(brotliCompressSync(readFileSync(file)).length);
"""


def measure() -> Report:
    ensure(PANEL_PACKAGES)
    chunks = sorted(path for path in CHUNKS.iterdir() if path.suffix in (".mjs", ".css"))
    first = loaded_with(chunks, "mountPanel-")
    of_a_chat = loaded_with(chunks, *OF_A_CHAT)
    with_tools = loaded_with(chunks, *OF_A_CHAT, *OF_TOOLS)
    views = [path for path in chunks if path not in with_tools]
    return Report(
        name="panel-size",
        title="Panel size",
        how=(
            "Sizes of the committed `js/`. ComfyUI's page imports only the entry. The panel's first chunks load when "
            "it is opened for the first time: all that the composer needs. The tools and the formatting of answers "
            "follow at once, the other views when they are shown. What reading, editing and running take beyond "
            "that loads with the first call of each, and is no view. Brotli at its highest level, as Node compresses."
        ),
        figures=[
            at_most("entry, raw", ENTRY.stat().st_size / 1000, 3, "kB", 2),
            at_most("panel, first chunks, brotli", sum(brotli_sizes(first)) / 1000, 270, "kB"),
            at_most("panel, all that a chat loads, brotli", sum(brotli_sizes(of_a_chat)) / 1000, 300, "kB"),
            at_most("panel, largest view on demand, brotli", max(brotli_sizes(views)) / 1000, 12, "kB"),
            Figure("panel, all chunks, brotli", f"{sum(brotli_sizes(chunks)) / 1000:,.1f} kB"),
            Figure("panel, all chunks, raw", f"{sum(file.stat().st_size for file in chunks) / 1000:,.0f} kB"),
        ],
    )


def loaded_with(chunks: list[Path], *beginnings: str) -> list[Path]:
    """The chunks whose names begin so, and what they import before they run, directly or not."""
    by_name = {path.name: path for path in chunks}
    waiting = [path for path in chunks if path.name.startswith(beginnings)]
    found: list[Path] = []
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.append(path)
        imported = re.findall(r"""(?:from|import)\s*["']\./([^"']+)["']""", path.read_text("utf-8"))
        waiting += [by_name[name] for name in imported if name in by_name]
    return sorted(found)


def brotli_sizes(files: list[Path]) -> list[int]:
    printed = subprocess.run(
        [BIN / "node", "-e", BROTLI, *files], capture_output=True, text=True, check=True
    ).stdout
    return [int(line) for line in printed.split()]

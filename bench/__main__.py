"""`python -m bench [names]`: measure, print, and write docs/benchmarks.md."""

from __future__ import annotations

import importlib
import sys

NAMES = (
    "product-size",
    "message-path",
    "panel-size",
    "panel-opening",
    "comfyui-start",
    "chat-delay",
    "node-search",
    "scanning",
    "context",
    "large-edits",
    "reading",
    "layout",
    "first-job",
)


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}; there are: {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    missed = 0
    for name in names or NAMES:
        report = importlib.import_module(f"bench.{name.replace('-', '_')}").measure()
        print(report.as_text(), end="\n\n", flush=True)
        report.write()
        missed += len(report.missed())
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

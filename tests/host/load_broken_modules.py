"""Runs in ComfyUI's environment: `python load_broken_modules.py <ComfyUI> <copy of the extension>`.

Lets ComfyUI's own loader load the copy whole, then once for each root module and for a spread of the others that the
whole one imported, with an import in it that fails, and once with such an import in all that it did not import. Prints
as JSON what ComfyUI and the log said each time.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MISSING = "module_that_is_not_there"
SPREAD = 30
"""So many modules below the root, evenly from their sorted list: each load takes half a second, whatever is broken."""


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def main() -> None:
    comfyui, extension = (Path(argument).resolve() for argument in sys.argv[1:])
    os.chdir(comfyui)
    sys.argv = ["main.py", "--cpu"]
    sys.path[:1] = [str(comfyui), str(ROOT / "dev")]
    from start_comfyui import declare_torchvision_operators, ends_at_once

    with ends_at_once():
        declarations = declare_torchvision_operators()
        print(json.dumps(report(extension)))
        del declarations


def report(extension: Path) -> dict[str, Any]:
    importlib.import_module("comfy.options").enable_args_parsing()
    # In main.py's order: `nodes` puts a folder with another module `utils` in front of the path.
    importlib.import_module("utils.extra_config")
    nodes, server = (importlib.import_module(name) for name in ("nodes", "server"))

    lines = Lines()
    logging.getLogger().addHandler(lines)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    server.PromptServer(loop)

    def load() -> dict[str, Any]:
        before = set(sys.modules)
        server.PromptServer.instance.routes = server.web.RouteTableDef()
        lines.lines = []
        loaded = loop.run_until_complete(nodes.load_custom_node(str(extension), module_parent="custom_nodes"))
        ours = {name for name in set(sys.modules) - before if is_below(sys.modules[name], extension)}
        files = {str(Path(sys.modules[name].__file__).relative_to(extension)) for name in ours}
        for name in ours:
            del sys.modules[name]
        paths = [getattr(route, "path", "") for route in server.PromptServer.instance.routes]
        return {"loaded": loaded, "lines": lines.lines, "imported": sorted(files), "routes": paths}

    def load_with_broken(*files: Path) -> dict[str, Any]:
        sources = {file: file.read_text() for file in files}
        for file, source in sources.items():
            file.write_text(broken(source))
        result = load()
        for file, source in sources.items():
            file.write_text(source)
        return result

    whole = load()
    imported = [extension / name for name in whole["imported"]]
    others = [file for file in extension.rglob("*.py") if file not in imported]
    return {
        "whole": whole,
        "others broken": load_with_broken(*others),
        "others": len(others),
        "broken": {name: load_with_broken(extension / name) for name in chosen(whole["imported"])},
    }


def chosen(names: list[str]) -> list[str]:
    below = [name for name in names if "/" in name]
    return [name for name in names if name not in below] + below[:: max(1, len(below) // SPREAD)]


def broken(source: str) -> str:
    line = "from __future__ import annotations\n"
    return (
        source.replace(line, f"{line}import {MISSING}\n", 1)
        if line in source
        else f"import {MISSING}\n{source}"
    )


def is_below(module: object, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return bool(file) and Path(file).is_relative_to(folder)


if __name__ == "__main__":
    main()

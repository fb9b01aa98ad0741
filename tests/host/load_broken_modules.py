"""Runs in ComfyUI's environment: `python load_broken_modules.py <ComfyUI> <copy of the extension>`.

Lets ComfyUI's own loader load the copy once whole, and once for each of its modules with an import in it that
fails. Prints as JSON which modules the whole one imported, and what ComfyUI and the log said each time.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MISSING = "module_that_is_not_there"


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
    from start_comfyui import declare_torchvision_operators

    declarations = declare_torchvision_operators()
    importlib.import_module("comfy.options").enable_args_parsing()
    # In main.py's order: `nodes` puts a folder with another module `utils` in front of the path.
    importlib.import_module("utils.extra_config")
    nodes, server = (importlib.import_module(name) for name in ("nodes", "server"))

    lines = Lines()
    logging.getLogger().addHandler(lines)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    server.PromptServer(loop)

    def load() -> dict[str, object]:
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

    results = {"": load()}
    for file in sorted(extension.rglob("*.py")):
        whole = file.read_text()
        file.write_text(broken(whole))
        results[str(file.relative_to(extension))] = load()
        file.write_text(whole)
    print(json.dumps(results))
    del declarations


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

"""A user's session with the extension in any folder, run as a program, so that none of it stays loaded.

python -m tests.fresh_clone <package folder> <data folder> keep|read
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

KEY = "sk-canary-of-a-fresh-clone"
PLACES = "places.json"


def load_package(folder: Path) -> None:
    """Load the extension as ComfyUI loads a custom node; later imports of `comfyui_assistant` get this one."""
    spec = importlib.util.spec_from_file_location(
        "comfyui_assistant", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    sys.modules["comfyui_assistant"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


async def keep(data: Path) -> dict[str, Any]:
    from tests.person_with_everything import keep_everything
    from tests.talking import talking

    async with talking(data) as (assistant, provider):
        places = dict(await keep_everything(assistant.call, data))
        posted = {
            "slug": "own-skill",
            "text": "---\nname: Own\ndescription: Written in the panel.\n---\nThin lines.",
        }
        added = {"baseUrl": provider.base_url, "apiKey": KEY, "model": "scripted", "name": "Mine"}
        calls = [
            ("POST", "/user-context/skills", posted),
            ("PUT", "/assistant/options", {"name": "max_steps", "value": 9}),
            ("POST", "/assistant/providers", added),
            ("POST", "/assistant/you/preferences", {"text": "light", "value": "soft"}),
            ("PUT", "/assistant/project/files?name=new.md", {"a herd": True}),
        ]
        for method, path, body in calls:
            reply = await assistant.call(method, path, body)
            assert reply.status < 300, f"{method} {path}: {reply.status} {reply.body!r}"
    (data / PLACES).write_text(json.dumps(places), "utf-8")
    return {}


async def read(data: Path) -> dict[str, Any]:
    """Return the replies of all GET routes, and the user's files."""
    from tests.route_calls import route_calls
    from tests.running_assistant import running_assistant

    places = json.loads((data / PLACES).read_text("utf-8"))
    async with running_assistant(data, {}) as assistant:
        calls = [call for call in route_calls(assistant, places) if call.route.method == "GET"]
        told = {}
        for call in calls:
            reply = await assistant.call("GET", call.path)
            told[call.name] = [reply.status, reply.body.decode("latin-1")]
    files = {
        str(path.relative_to(data)): path.read_bytes().hex()
        for path in sorted(data.rglob("*"))
        if path.is_file() and not path.name.startswith("assistant.sqlite3")
    }
    return {"told": told, "files": files}


if __name__ == "__main__":
    package, folder, what = sys.argv[1:]
    load_package(Path(package))
    print(json.dumps(asyncio.run((keep if what == "keep" else read)(Path(folder)))))

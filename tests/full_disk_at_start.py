"""The assistant, started on a full disk without a folder of its own: a program, on a small disk that a mount hides.

python -m tests.full_disk_at_start <folder>
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tests.store.full_disk import fill_with_files
from tests.talking import talking

OF_FILES = (
    "/assistant/status",
    "/assistant/options",
    "/assistant/providers",
    "/assistant/skills",
    "/assistant/personas",
    "/assistant/memory",
    "/assistant/project",
)
OF_THE_DATABASE = (
    "/user-context/skills",
    "/assistant/threads",
    "/assistant/you",
    "/assistant/runs",
    "/assistant/costs",
    "/assistant/search?query=fox",
)
READS = (*OF_FILES, *OF_THE_DATABASE)
CHANGES: dict[str, tuple[str, Any]] = {
    "/assistant/threads": ("POST", {}),
    "/assistant/you/rules": ("POST", {"text": "Always ask."}),
    "/assistant/options": ("PUT", {"name": "max_steps", "value": 9}),
    "/assistant/project/files?name=new.md": ("PUT", {"a herd": True}),
    "/assistant/personas/own": ("PUT", {"text": "A herd.", "seen": ""}),
    "/user-context/skills": ("POST", {"slug": "own", "text": "---\nname: A\ndescription: B\n---\nC"}),
}


async def begin_on(disk: Path) -> dict[str, Any]:
    fill_with_files(disk)
    data = disk / "user" / "data"
    async with talking(data) as (assistant, _):
        reads = {path: (await assistant.call("GET", path)).status for path in READS}
        refused = {path: await assistant.call(method, path, body) for path, (method, body) in CHANGES.items()}
        status = (await assistant.call("GET", "/assistant/status")).json
        left_behind = [path.name for path in data.glob("*.sqlite3*")]
        for filler in disk.glob("filler-*"):
            filler.unlink()
        later = await assistant.say("Hello?", thread=await assistant.new_thread())
        listed = (await assistant.call("GET", "/assistant/threads")).json
        return {
            "reads": reads,
            "changes": {path: [reply.status, reply.error_code] for path, reply in refused.items()},
            "notice": status["store"]["message"],
            "left_behind": left_behind,
            "later": {
                "said": later.text,
                "chats": len(listed["threads"]),
                "notice": listed.get("notice"),
                "kept": sorted(path.name for path in data.glob("*.broken*")),
            },
        }


def main() -> None:
    print(json.dumps(asyncio.run(begin_on(Path(sys.argv[1])))))

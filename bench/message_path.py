"""What a newcomer walks through: the files that one message enters, and how the modules hang together."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import tests.conftest  # noqa: F401 - loads the package as ComfyUI does
from bench.report import Figure, Report
from dev.places import ROOT
from tests.talking import talking
from tests.test_architecture import FILES, FOLDERS, SUBFOLDERS, circle, folder_arrows, longest_chain

_MODEL = str(ROOT / "dev" / "scripted")
_OTHERS = tuple(str(ROOT / folder) for folder in (".cache", "bench", "dev", "tests"))
_PARTICIPLE = re.compile(r"known|told|said|held|kept|made|found|seen|shown|meant|sent|\w{3,}ed")


class Walk:
    """The functions of ours that run, from `begin` until the model's server has a request."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, str, int]] = set()
        self._is_on = False

    def begin(self) -> None:
        self._is_on = True

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Takes each call of the interpreter: `sys.setprofile`."""
        file = frame.f_code.co_filename
        if not self._is_on or event != "call" or not file.startswith(str(ROOT)):
            return
        if file.startswith(_MODEL):
            self._is_on = False
        elif not file.startswith(_OTHERS):
            self.functions.add((file, frame.f_code.co_name, frame.f_code.co_firstlineno))


async def walk_third_message() -> Walk:
    """Send the third plain message of a stored thread, for a model with a large window."""
    walk = Walk()
    threading.setprofile(walk.note)
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "64000"}
    with tempfile.TemporaryDirectory() as folder:
        async with talking(Path(folder), environ=environ) as (assistant, _):
            thread = await assistant.new_thread()
            for number in range(2):
                await assistant.say("hello", thread=thread, message_id=f"u{number}")
            sys.setprofile(walk.note)
            walk.begin()
            await assistant.say("hello", thread=thread, message_id="u3")
            sys.setprofile(None)
    threading.setprofile(None)
    return walk


def measure() -> Report:
    walk, chain = asyncio.run(walk_third_message()), longest_chain()
    named = [path for path in FILES if any(map(_PARTICIPLE.fullmatch, path.stem.split("_")))]
    return Report(
        name="message-path",
        title="The way of a message",
        how="What runs of the third plain message of a stored thread until the model has its request, and the imports.",
        figures=[
            Figure("files entered", str(len({file for file, *_ in walk.functions}))),
            Figure("functions", str(len(walk.functions))),
            Figure("longest chain of imports", f"{len(chain)} modules"),
            Figure("folders, rooms in them", f"{len(FOLDERS)}, {len(SUBFOLDERS.keys() - FOLDERS.keys())}"),
            Figure("folders in a circle", circle(folder_arrows(depth=1)) or "none"),
            Figure("modules named by a participle", str(len(named))),
        ],
        table=" → ".join(f"`{module.removeprefix('engine.')}`" for module in chain),
    )

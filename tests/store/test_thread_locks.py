"""A thread is held by one process at a time, however that ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from comfyui_assistant.engine.store.thread_locks import FileLocks

from dev.places import ROOT

HOLDER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from engine.store.thread_locks import FileLocks
locks = FileLocks(Path(sys.argv[2]))
print(asyncio.run(locks.take("t1")), flush=True)
sys.stdin.read()
"""


def files(folder: Path) -> list[str]:
    return sorted(path.suffix for path in folder.iterdir())


async def test_another_holder_has_it_until_it_is_given_back_and_nothing_is_left(tmp_path: Path) -> None:
    ours, theirs = FileLocks(tmp_path / "turns"), FileLocks(tmp_path / "turns")
    assert await ours.take("t1")
    assert not await theirs.take("t1")
    assert await theirs.take("t2")
    await ours.give_back("t1")
    assert await theirs.take("t1")
    assert not await ours.take("t1")
    await theirs.give_back("t1")
    await theirs.give_back("t2")
    await theirs.give_back("never held")
    assert files(tmp_path / "turns") == []


async def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(ROOT), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    locks = FileLocks(tmp_path)
    assert not await locks.take("t1")
    holder.kill()
    holder.communicate()
    assert await locks.take("t1")


async def test_an_id_leads_nowhere_and_a_folder_that_cannot_be_made_stops_nobody(tmp_path: Path) -> None:
    locks = FileLocks(tmp_path / "turns")
    assert await locks.take("../../outside\ud83d")
    assert [path.name for path in tmp_path.iterdir()] == ["turns"]
    (tmp_path / "file").write_text("no folder")
    assert await FileLocks(tmp_path / "file").take("t1")

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.user.documents import MAX_BYTES
from comfyui_assistant.engine.user.memory_days import MemoryDays

ROOT = Path(__file__).parents[2]
WRITER = """
import asyncio, sys
from pathlib import Path
from tests import conftest
from comfyui_assistant.engine.user.memory_days import MemoryDays

async def no_keys():
    return []

async def write():
    memory = MemoryDays(Path(sys.argv[1]), no_keys)
    for number in range(20):
        assert await memory.add(f"- {sys.argv[2]} {number}") == ""

asyncio.run(write())
"""


async def no_keys() -> list[Secret]:
    return []


@pytest.fixture
def memory(tmp_path: Path) -> MemoryDays:
    return MemoryDays(tmp_path, no_keys)


def today(folder: Path) -> str:
    return (folder / "memory" / f"{time.strftime('%Y-%m-%d')}.md").read_text("utf-8")


async def test_keys_are_looked_for_off_the_event_loop_which_a_long_chat_would_hold_up(tmp_path: Path) -> None:
    threads: list[int] = []

    class Watched(Secret):
        def mask(self, text: str) -> str:
            threads.append(threading.get_ident())
            return super().mask(text)

    async def keys() -> list[Secret]:
        return [Watched("sk-canary-of-a-memory")]

    assert await MemoryDays(tmp_path, keys).add("- Asked: is sk-canary-of-a-memory mine?") == ""
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()
    assert today(tmp_path) == "- Asked: is **** mine?\n\n"


async def test_what_is_added_stands_in_the_file_of_its_day_and_is_found(memory: MemoryDays, tmp_path: Path):
    assert await memory.add("- Asked: a fox in the snow") == ""
    assert await memory.add("- Asked: a bear") == ""
    assert today(tmp_path) == "- Asked: a fox in the snow\n\n- Asked: a bear\n\n"
    (day,) = await memory.days("FOX")
    assert day.lines == ("- Asked: a fox in the snow",)
    assert await memory.days("walrus") == []


async def test_a_key_never_stands_in_it(tmp_path: Path):
    key = "sk-canary-0123456789"

    async def keys() -> list[Secret]:
        return [Secret(""), Secret(key)]

    await MemoryDays(tmp_path, keys).add(f"- Asked: my key is {key}, use it")
    assert today(tmp_path) == "- Asked: my key is ****, use it\n\n"


async def test_two_processes_lose_nothing_of_each_other(tmp_path: Path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name], cwd=ROOT)
        for name in ("fox", "bear")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    lines = today(tmp_path).split("\n\n")
    assert {*lines} == {f"- {name} {number}" for name in ("fox", "bear") for number in range(20)} | {""}


async def test_a_long_day_goes_on_in_another_file(memory: MemoryDays, tmp_path: Path):
    for letter in "abc":
        assert await memory.add("\n".join([letter * 999] * 30)) == ""
    names = [day.name for day in await memory.days()]
    assert len(names) == 2
    assert all(path.stat().st_size <= MAX_BYTES for path in (tmp_path / "memory").glob("*.md"))


async def test_a_line_that_is_longer_than_a_file_may_be_stays_whole_in_one_of_its_own(
    memory: MemoryDays, tmp_path: Path
):
    assert await memory.add("- Asked: a fox") == ""
    assert await memory.add(f"- Made: {'x' * MAX_BYTES} the end") == ""
    assert today(tmp_path).strip() == "- Asked: a fox"
    second, first = await memory.days()
    assert (first.problem, second.name.endswith("-2")) == ("", True)
    assert (tmp_path / "memory" / f"{second.name}.md").read_text("utf-8").endswith("x the end\n")


async def test_where_there_is_no_room_that_is_named(memory: MemoryDays, tmp_path: Path):
    (tmp_path / "memory").write_text("no folder", "utf-8")
    assert (await memory.add("- Asked: a fox")).startswith("The memory of today could not be saved in ")


async def test_a_day_is_edited_and_forgotten_only_as_it_was_seen(memory: MemoryDays):
    await memory.add("- Asked: a fox")
    (day,) = await memory.days()
    with pytest.raises(RequestError, match="has been changed since"):
        await memory.write(day.name, "- Asked: a bear", "- Asked: a walrus")
    assert (await memory.write(day.name, "- Asked: a bear", "- Asked: a fox")).text == "- Asked: a bear"
    await memory.write(day.name, "", "- Asked: a bear")
    assert await memory.days() == []
    with pytest.raises(RequestError, match="There is no memory of"):
        await memory.read(day.name)


@pytest.mark.parametrize("day", ["../rules", "2026-1-1", "", "2026-01-31/../../rules"])
async def test_no_other_file_is_read_or_written_as_a_day(memory: MemoryDays, day: str):
    with pytest.raises(RequestError, match="There is no memory of"):
        await memory.read(day)
    with pytest.raises(RequestError, match="There is no memory of"):
        await memory.write(day, "x", "")


async def test_links_out_of_the_folder_are_neither_read_nor_written(memory: MemoryDays, tmp_path: Path):
    (tmp_path / "memory").mkdir()
    outside = tmp_path.parent / f"{tmp_path.name}-outside.md"
    outside.write_text("- a secret fox\n", "utf-8")
    (tmp_path / "memory" / f"{time.strftime('%Y-%m-%d')}.md").symlink_to(outside)
    assert await memory.days("fox") == []
    assert await memory.add("- Asked: a bear") == ""
    assert outside.read_text("utf-8") == "- a secret fox\n"
    assert len(await memory.days("bear")) == 1


async def test_a_day_that_cannot_be_read_whole_is_listed_with_the_reason(memory: MemoryDays, tmp_path: Path):
    (tmp_path / "memory" / "2026-01-31.md").mkdir(parents=True)
    (tmp_path / "memory" / "2026-01-30.md").write_text("- a fox\n" * 10_000, "utf-8")
    folder, long = await memory.days()
    assert folder.as_json()["problem"].startswith("It cannot be read (Is a directory).")
    assert long.as_json()["problem"].startswith("It has 80,000 bytes; 65,536 are read.")

"""A thread is held by one process at a time, however that ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.processes import thread_locks
from comfyui_assistant.engine.store.processes.thread_locks import FileLocks, PostgresqlLocks
from sqlalchemy.exc import OperationalError

from dev.places import ROOT

HOLDER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from engine.store.processes.thread_locks import FileLocks
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


class Session:
    """A session with PostgreSQL that breaks before it has answered so often."""

    def __init__(self, answers: int, answer: bool) -> None:
        self.answers = answers
        self.answer = answer

    def execute(self, _: object) -> Session:
        self.answers -= 1
        if self.answers < 0:
            raise OperationalError("SELECT", {}, Exception("server closed the connection unexpectedly"))
        return self

    def scalar(self) -> bool:
        return self.answer

    closed = False

    @property
    def invalidated(self) -> bool:
        return self.answers < 0


@pytest.mark.parametrize(
    ("sessions", "expected"),
    [
        pytest.param([Session(9, True), Session(1, False)], [True, True], id="none broke"),
        pytest.param(
            [Session(1, True), Session(1, False)], [True, False], id="the fresh one says who has it"
        ),
        pytest.param([Session(1, True), Session(0, False)], [True, True], id="nobody can say"),
    ],
)
async def test_a_fresh_session_is_asked_where_that_of_postgresql_broke(
    monkeypatch: pytest.MonkeyPatch, sessions: list[Session], expected: list[bool]
) -> None:
    left = iter(sessions)
    monkeypatch.setattr(thread_locks, "open_session", lambda _: next(left))
    locks = PostgresqlLocks("postgresql://nobody")
    assert [await locks.take("t1"), await locks.take("t1")] == expected

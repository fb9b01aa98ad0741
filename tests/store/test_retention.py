from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.retention import Retention
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import user

DAY = 86_400.0


class Calendar:
    """A clock that is moved by hand; it begins at the true time, which is the one that threads are written with."""

    def __init__(self) -> None:
        self.began = time.time()
        self.days = 0.0

    def __call__(self) -> float:
        return self.began + self.days * DAY


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def retention(database: Database, folder: Path, calendar: Calendar) -> Retention:
    return Retention(database, folder / "exports", clock=calendar)


@pytest.fixture
async def idle_id(store: ThreadStore, calendar: Calendar) -> str:
    thread_id = (await store.create()).id
    await store.append(thread_id, [user("u1", "Make the sky red")])
    return thread_id


async def days_until_removal(store: ThreadStore, calendar: Calendar) -> int | None:
    (summary,) = await store.list()
    return None if summary.expires_at is None else round((summary.expires_at - calendar.began) / DAY)


async def test_a_thread_that_was_announced_is_exported_and_removed_when_it_falls_due(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str, folder: Path
) -> None:
    calendar.days = 22.9
    await retention.announce(30)
    assert await days_until_removal(store, calendar) is None
    calendar.days = 23.1
    await retention.announce(30)
    assert await days_until_removal(store, calendar) == 30
    calendar.days = 29.9
    assert await retention.apply(30) == []
    calendar.days = 30.2
    assert await retention.apply(30) == [idle_id]
    assert await store.list() == []
    exported = json.loads((folder / "exports" / f"{idle_id}.json").read_text("utf-8"))
    assert exported["messages"][0]["parts"] == [{"type": "text", "text": "Make the sky red"}]
    assert (folder / "exports" / f"{idle_id}.json").stat().st_mode & 0o777 == 0o600


async def test_a_thread_that_nobody_was_told_of_stays_a_week_longer(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str
) -> None:
    calendar.days = 60
    assert await retention.apply(30) == []
    assert await days_until_removal(store, calendar) == 67
    calendar.days = 66.9
    assert await retention.apply(30) == []
    calendar.days = 67.1
    assert await retention.apply(30) == [idle_id]


async def test_a_thread_first_shown_late_has_a_week_from_then(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str
) -> None:
    calendar.days = 28
    await retention.announce(30)
    assert await days_until_removal(store, calendar) == 35


async def test_a_used_thread_is_no_longer_announced(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str
) -> None:
    calendar.days = 25
    await retention.announce(30)
    await store.append(idle_id, [user("u2", "still here")])
    assert await days_until_removal(store, calendar) is None


async def test_pinned_threads_stay_for_ever_and_unpinned_ones_are_announced_anew(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str
) -> None:
    calendar.days = 25
    await retention.announce(30)
    await store.pin(idle_id, is_pinned=True)
    calendar.days = 400
    await retention.announce(30)
    assert await retention.apply(30) == []
    assert await days_until_removal(store, calendar) is None
    await store.pin(idle_id, is_pinned=False)
    assert await retention.apply(30) == []
    assert await days_until_removal(store, calendar) == 407


async def test_zero_days_keep_everything(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str
) -> None:
    calendar.days = 25
    await retention.announce(30)
    calendar.days = 4_000
    await retention.announce(0)
    assert await retention.apply(0) == []
    assert await days_until_removal(store, calendar) is None


async def test_more_days_take_an_announcement_back(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str
) -> None:
    calendar.days = 25
    await retention.announce(30)
    calendar.days = 33
    assert await retention.apply(90) == []
    assert await days_until_removal(store, calendar) is None


async def test_an_export_never_leaves_its_folder(
    retention: Retention,
    store: ThreadStore,
    database: Database,
    calendar: Calendar,
    folder: Path,
    idle_id: str,
) -> None:
    """An id of a salvaged database may be anything."""
    await database.run(
        lambda c: c.exec_driver_sql(
            "INSERT INTO thread (id, created_at, updated_at, pinned, expires_at, owner)"
            " SELECT '../../x', 0, 0, 0, 1, owner FROM thread"
        )
    )
    calendar.days = 1
    assert await retention.apply(30) == ["../../x"]
    assert [path.name for path in (folder / "exports").iterdir()] == ["..%2F..%2Fx.json"]


async def test_a_thread_that_cannot_be_exported_stays(
    retention: Retention, store: ThreadStore, calendar: Calendar, idle_id: str, folder: Path
) -> None:
    (folder / "exports").write_text("a file in the way of the folder", "utf-8")
    calendar.days = 60
    await retention.apply(30)
    calendar.days = 70
    assert await retention.apply(30) == []
    assert [summary.id for summary in await store.list()] == [idle_id]

"""Two ComfyUI processes on one folder: each has its own connection and waits for the other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import draft, step, text, user


@pytest.fixture
def pair(folder: Path) -> Iterator[tuple[Database, Database]]:
    """Two processes that find no database yet."""
    databases = Database.in_folder(folder), Database.in_folder(folder)
    yield databases
    for database in databases:
        database.close()


async def test_both_make_the_database_at_the_same_time(pair: tuple[Database, Database]) -> None:
    stores = [ThreadStore(database) for database in pair]
    created = await asyncio.gather(*(store.create() for store in stores))
    for store in stores:
        assert {summary.id for summary in await store.list()} == {one.id for one in created}


@pytest.mark.slow
async def test_nothing_that_either_writes_is_lost_or_out_of_order(pair: tuple[Database, Database]) -> None:
    stores = [ThreadStore(database) for database in pair]
    shared = (await stores[0].create()).id

    async def write(writer: int) -> None:
        requests = Requests(pair[writer])
        own = (await stores[writer].create()).id
        for number in range(40):
            message_id = f"{writer}-{number}"
            await stores[writer].append(shared, [user(message_id, f"question {message_id}")])
            await stores[writer].append(own, [user(message_id, "x"), step(f"a{message_id}", text("y"))])
            await stores[writer].save_drafts(draft(own, f"b{message_id}", [text("z")]))
            await requests.keep(
                shared,
                message_id=message_id,
                step=1,
                model="small",
                messages=[],
                tools=[],
                estimated_tokens=number,
            )

    await asyncio.gather(write(0), write(1))
    ids = [message["id"] for message in await stores[0].messages(shared)]
    assert ids == [message["id"] for message in await stores[1].messages(shared)]
    for writer in (0, 1):
        assert [one for one in ids if one.startswith(f"{writer}-")] == [f"{writer}-{n}" for n in range(40)]
    assert sorted(summary.message_count for summary in await stores[1].list()) == [80, 119, 119]
    assert len(await Requests(pair[0]).list(shared)) == 80

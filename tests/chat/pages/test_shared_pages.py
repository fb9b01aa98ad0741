from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from comfyui_assistant.engine.chat.pages import shared_pages, turn_pages
from comfyui_assistant.engine.chat.pages.shared_pages import SharedPages
from comfyui_assistant.engine.chat.pages.turn_pages import TurnPages
from comfyui_assistant.engine.errors import RequestError


@dataclass
class Locks:
    """Those of one process; `taken` is what both see."""

    taken: dict[str, Locks]

    async def take(self, thread_id: str) -> bool:
        return self.taken.setdefault(thread_id, self) is self

    async def give_back(self, thread_id: str) -> None:
        if self.taken.get(thread_id) is self:
            del self.taken[thread_id]


@dataclass
class Process:
    taken: dict[str, Locks]
    open: set[str] = field(default_factory=lambda: {"page"})
    goes_on: bool = True

    def __post_init__(self) -> None:
        self.pages = TurnPages(lambda page: page in self.open)
        self.shared = SharedPages(Locks(self.taken), self.pages, self._is_going_on)

    async def _is_going_on(self, thread_id: str) -> bool:
        if thread_id == "deleted":
            raise RequestError("unknown_thread", "There is none.", status=404)
        if thread_id == "unreadable":
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
        return self.goes_on


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> tuple[Process, Process]:
    monkeypatch.setattr(turn_pages, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(shared_pages, "_LOOK_SECONDS", 0.0)
    taken: dict[str, Locks] = {}
    return Process(taken), Process(taken)


async def passes() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_thread_is_held_while_its_page_has_calls_to_make(both: tuple[Process, Process]) -> None:
    one, other = both
    one.pages.put("t", "page")
    assert [await one.shared.take("t"), await one.shared.take("t"), await other.shared.take("t")] == [
        True,
        True,
        False,
    ]
    await passes()
    assert [await one.shared.is_elsewhere("t"), await other.shared.is_elsewhere("t")] == [False, True]
    one.goes_on = False
    await passes()
    assert not await other.shared.is_elsewhere("t")
    other.pages.put("t", "page")
    assert await other.shared.take("t")
    assert await one.shared.is_elsewhere("t")
    await other.shared.close()


@pytest.mark.parametrize("end", ["gone", "stopped", "deleted", "unreadable"])
async def test_what_needs_no_page_any_more_is_given_back(both: tuple[Process, Process], end: str) -> None:
    one, other = both
    thread = end if end in ("deleted", "unreadable") else "t"
    one.pages.put(thread, "page")
    assert await one.shared.take(thread)
    assert await other.shared.is_elsewhere(thread)
    if end == "gone":
        one.open.clear()
    elif end == "stopped":
        one.pages.stop(thread)
    await passes()
    assert not await other.shared.is_elsewhere(thread)


async def test_asking_whose_a_thread_is_takes_nothing(both: tuple[Process, Process]) -> None:
    one, other = both
    assert not await one.shared.is_elsewhere("t")
    assert not await other.shared.is_elsewhere("t")
    assert one.taken == {}


async def test_who_answers_next_waits_for_the_thread_to_be_given_back(both: tuple[Process, Process]) -> None:
    one, other = both
    one.pages.put("t", "page")
    other.pages.put("t", "page")
    assert await one.shared.take("t")
    assert one.shared.is_busy()
    assert not await other.shared.take("t")
    other.shared.want("t")
    other.shared.want("t")
    one.goes_on = False
    assert not await other.shared.is_elsewhere("t")
    assert await one.shared.is_elsewhere("t")
    assert not one.shared.is_busy()
    await other.shared.close()

"""A thread after a restart is the thread before it, whatever was written and in whatever order."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.messages import UIMessage
from comfyui_assistant.engine.base.text.portable_text import portable
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent, fold
from comfyui_assistant.engine.store.log.thread_writer import BROKEN_OFF
from comfyui_assistant.engine.store.threads import ThreadStore
from hypothesis import given
from hypothesis import strategies as st

from ..cases import cases
from .log_events import call, draft, result, rewind, step, text, user

IDS = st.sampled_from([f"m{number}" for number in range(6)])
CALLS = st.sampled_from(["c1", "c2", "c3"])
TEXTS = st.text(max_size=12) | st.sampled_from(["赤い空", "🎉", "half \ud83c", "nul \0", "\u2028", "‮rtl"])
PARTS = st.lists(st.builds(text, TEXTS) | st.builds(call, CALLS), max_size=3)
ADDITIONS = st.one_of(
    st.builds(user, IDS, TEXTS),
    st.builds(lambda message_id, parts: step(message_id, *parts), IDS, PARTS),
    st.builds(result, IDS, CALLS, TEXTS),
    st.builds(
        lambda i, said: LogEvent("data", i, {"part": {"type": "data-notice", "data": said}}), IDS, TEXTS
    ),
    st.builds(
        lambda message_id, count: LogEvent("metadata", message_id, {"steps": count}), IDS, st.integers()
    ),
)
REWINDS = st.builds(rewind, IDS | st.just(""))
WRITES = st.one_of(
    st.tuples(st.just("append"), st.lists(ADDITIONS | REWINDS, min_size=1, max_size=4)),
    st.tuples(st.just("draft"), IDS, PARTS),
    st.tuples(st.just("switch"), st.integers(0, 9)),
    st.tuples(st.just("restart")),
)


class Model:
    """What a thread should be, in the plainest way: each branch is a conversation of its own."""

    def __init__(self) -> None:
        self.branches: list[list[UIMessage]] = [[]]
        self.current = 0
        self.draft: LogEvent | None = None

    def append(self, events: list[LogEvent]) -> None:
        steps = {event.message_id for event in events if event.kind == "step"}
        if self.draft is not None and self.draft.message_id not in steps:
            self._add(self.draft)
            if self.draft.message_id not in {event.message_id for event in events}:
                self._add(LogEvent("data", self.draft.message_id, {"part": BROKEN_OFF.part}))
        self.draft = None
        for event in events:
            self._add(event)

    def switch(self, branch: int) -> None:
        if branch != self.current:
            self.append([])
            self.current = branch

    def conversation(self) -> list[UIMessage]:
        """As it is read: half of a character comes back replaced."""
        return portable(fold([self.draft] if self.draft else [], self.branches[self.current]))

    def _add(self, event: LogEvent) -> None:
        conversation = deepcopy(self.branches[self.current])
        if event.kind == "rewind":
            self.branches.append(conversation)
            self.current = len(self.branches) - 1
        self.branches[self.current] = fold([event], conversation)


@pytest.mark.slow
@cases(30)
@given(writes=st.lists(WRITES, max_size=8))
def test_every_branch_is_the_same_after_a_restart(
    empty_database: Path, writes: list[tuple[Any, ...]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        shutil.copy(empty_database, name)
        asyncio.run(play(Path(name), writes))


async def play(folder: Path, writes: list[tuple[Any, ...]]) -> None:
    model = Model()
    database = Database.in_folder(folder)
    thread_id = (await ThreadStore(database).create()).id
    for kind, *given_values in [*writes, ("restart",)]:
        store = ThreadStore(database)
        if kind == "append":
            await store.append(thread_id, *given_values)
            model.append(*given_values)
        elif kind == "draft":
            message_id, parts = given_values
            await store.save_drafts(draft(thread_id, message_id, parts))
            model.draft = LogEvent("step", message_id, {"parts": parts})
        elif kind == "switch":
            branches = await store.branches(thread_id)
            number = given_values[0] % len(branches)
            await store.switch(thread_id, branches[number].id)
            model.switch(number)
        else:
            database.close()
            database = Database.in_folder(folder)
            store = ThreadStore(database)
        thread = await store.read(thread_id)
        assert thread.messages == model.conversation()
        assert thread.damage == []
    branches = await store.branches(thread_id)
    assert [branch.is_current for branch in branches].index(True) == model.current
    for number, branch in enumerate(branches):
        await store.switch(thread_id, branch.id)
        model.switch(number)
        assert await store.messages(thread_id) == model.conversation()
    database.close()


@given(before=st.lists(ADDITIONS, max_size=12), after=st.lists(ADDITIONS, max_size=12))
def test_what_comes_later_never_takes_away_what_came_before(
    before: list[LogEvent], after: list[LogEvent]
) -> None:
    earlier, later = fold(before), fold([*before, *after])
    assert [message["id"] for message in later[: len(earlier)]] == [message["id"] for message in earlier]
    for old, new in zip(earlier, later, strict=False):
        for old_part, new_part in zip(old["parts"], new["parts"], strict=False):
            assert new_part == old_part or new_part["toolCallId"] == old_part["toolCallId"]
        assert len(new["parts"]) >= len(old["parts"])


@pytest.mark.slow
@given(before=st.lists(ADDITIONS | REWINDS, max_size=12), after=st.lists(ADDITIONS | REWINDS, max_size=12))
def test_a_conversation_can_be_folded_at_once_or_bit_by_bit(
    before: list[LogEvent], after: list[LogEvent]
) -> None:
    first = fold(before)
    kept = deepcopy(first)
    assert fold(after, first) == fold([*before, *after])
    assert first == kept

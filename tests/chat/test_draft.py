from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from comfyui_assistant.engine.chat.draft import Draft
from comfyui_assistant.engine.errors import StoreError

from .one_response import MemoryTurnLog


class BusyTurnLog(MemoryTurnLog):
    """A store that writes a draft when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.may_write = asyncio.Event()

    async def save_draft(self, message_id: str, parts: Any) -> None:
        await self.may_write.wait()
        await super().save_draft(message_id, parts)


class RefusingTurnLog(MemoryTurnLog):
    async def save_draft(self, message_id: str, parts: Any) -> None:
        raise StoreError("store_failed", "The disk is full.")


async def test_what_is_saved_during_a_write_waits_for_the_next_one() -> None:
    log = BusyTurnLog()
    draft = Draft(log, "a1")
    draft.save(["one"])
    draft.save(["one", "two"])
    log.may_write.set()
    await draft.settle()
    draft.save(["one", "two", "three"])
    await draft.settle()
    assert log.drafts == [["one"], ["one", "two", "three"]]


async def test_a_draft_is_not_due_right_after_it_began_or_while_it_is_written() -> None:
    draft = Draft(BusyTurnLog(), "a1")
    assert not draft.is_due
    draft.save(["one"])
    assert not draft.is_due


async def test_a_draft_that_cannot_be_written_is_logged_and_the_reply_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    draft = Draft(RefusingTurnLog(), "a1")
    with caplog.at_level(logging.WARNING):
        draft.save(["one"])
        await draft.settle()
    assert "The disk is full." in caplog.text


async def test_there_is_nothing_to_settle_before_anything_was_saved() -> None:
    await Draft(MemoryTurnLog(), "a1").settle()

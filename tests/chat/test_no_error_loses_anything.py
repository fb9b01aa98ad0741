"""I8: whatever fails in a turn, its thread keeps everything that it had."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from comfyui_assistant.engine.base.errors import ProviderError, StoreError
from comfyui_assistant.engine.base.events import TextDelta
from comfyui_assistant.engine.chat.thread_context.turn_context import TurnContext
from comfyui_assistant.engine.chat.thread_context.turn_planner import TurnPlanner
from comfyui_assistant.engine.chat.turn.response_writer import ThreadTurnLog
from comfyui_assistant.engine.chat.turn.turn import Turn, TurnSetup
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.refusals.overflow import ContextOverflow, Overflow
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent, fold
from comfyui_assistant.engine.store.threads import ThreadStore
from hypothesis import given

from tests.fake_model import FakeModel, Reply, calls, says

from ..cases import cases
from ..context.random_conversations import Choices, drawn
from ..context.tally import CASES, invariant

_OVERFLOW = ContextOverflow("It is too long.", hint="", overflow=Overflow(window=2_000))
_OVERFLOW_WITHOUT_NUMBERS = ContextOverflow("It is too long.", hint="", overflow=Overflow())
_REPLIES: tuple[Reply, ...] = (
    says("Done."),
    calls(("c", "look", "{}")),
    calls(("c", "fail", "{}"), text="I look."),
    calls(("c", "missing", "no JSON")),
    [TextDelta("Half"), ProviderError("provider_unreachable", "It is gone.")],
    [ProviderError("provider_error", "It broke.")],
    [_OVERFLOW],
    [_OVERFLOW_WITHOUT_NUMBERS],
    [TextDelta("Half"), RuntimeError("a fault of ours")],
    [RuntimeError("a fault of ours")],
    [],
    says("", reason=None),
    says("x" * 20_000, reason="length"),
)


class FailingTurnLog(ThreadTurnLog):
    """A disk that refuses each write whose turn it is."""

    def __init__(self, threads: ThreadStore, thread_id: str, refused: Iterator[bool]) -> None:
        super().__init__(threads, thread_id)
        self._refused = refused
        self.kept: list[LogEvent] = []

    async def append(self, events: Sequence[LogEvent]) -> None:
        if next(self._refused, False):
            raise StoreError("storage_full", "The disk is full.")
        await super().append(events)
        self.kept.extend(events)


async def look(arguments: dict[str, Any], *_: Any) -> Any:
    return {"ok": True, "summary": "Looked.", "data": arguments}


async def fail(arguments: dict[str, Any], *_: Any) -> Any:
    raise RuntimeError("a tool that breaks its word")


class Script:
    """The turns of a case: what the model does in each, which writes fail, and after how many chunks it is stopped."""

    def __init__(self, choices: Choices) -> None:
        self.window = choices.of((32_000, 4_096, 1_200))
        self.turns = [
            (
                [choices.of(_REPLIES) for _ in range(4)],
                [choices.below(5) == 4 for _ in range(4)],
                choices.of((1_000, 1_000, 1, 3, 6)),
            )
            for _ in range(1 + choices.below(3))
        ]

    def __repr__(self) -> str:
        return f"Script(window={self.window}, turns={self.turns})"


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadStore]:
    folder: Path = tmp_path_factory.mktemp("threads")
    database = Database.in_folder(folder)
    yield ThreadStore(database)
    database.close()


@cases("turns that fail")
@given(drawn(Script, 48))
def test_a_thread_keeps_what_it_had_whatever_fails(threads: ThreadStore, script: Script) -> None:
    CASES["turns that fail"] += 1
    asyncio.run(play(threads, script))


async def play(threads: ThreadStore, script: Script) -> None:
    thread = (await threads.create()).id
    for number, (replies, refused, chunks) in enumerate(script.turns):
        said = LogEvent("user", f"u{number}", {"parts": [{"type": "text", "text": "Go on. " * 300}]})
        await threads.append(thread, [said])
        before = await threads.messages(thread)
        frame, budget = Frame("You help. " * 100, "full"), Budget(script.window, 200)
        context = TurnContext.of(TurnPlanner(frame, budget, count_text))
        setup = TurnSetup(
            Endpoint("http://127.0.0.1:1/v1", "a-model"), {"look": look, "fail": fail}, frozenset(), context
        )
        log = FailingTurnLog(threads, thread, iter(refused))
        turn = Turn(before, message_id=f"a{number}", setup=setup, model=FakeModel(*replies), log=log)
        await stopped_after(chunks, cast(AsyncGenerator[Any, None], turn.run()))
        check_kept(before, fold(log.kept, before), await threads.messages(thread))


async def stopped_after(chunks: int, stream: AsyncGenerator[Any, None]) -> None:
    with contextlib.suppress(StoreError):
        async with contextlib.aclosing(stream):
            async for _ in stream:
                chunks -= 1
                if chunks == 0:
                    break


def check_kept(before: Sequence[Any], written: Sequence[Any], after: Sequence[Any]) -> None:
    """The messages of before as they were, then all that the turn could write, a draft beside it or not."""
    with invariant("I8"):
        assert list(after[: len(before)]) == list(before), "a message is gone, or is another one"
        parts = {message["id"]: message["parts"] for message in after}
        for message in written:
            found = iter(parts.get(message["id"], ()))
            missing = [part for part in message["parts"] if part not in found]
            assert not missing, f"what a turn wrote is gone: {missing}"

"""How long planning a request of a long thread takes."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench.context.conversations import conversation
from bench.context.fixed_part import FULL
from bench.context.payloads import FACTS
from bench.report import Figure, Report, at_most
from engine.base.messages import Part, UIMessage, is_tool_part
from engine.context.budget import Budget
from engine.context.compaction import Compaction
from engine.context.frame import Frame
from engine.context.plan import Plan, plan
from engine.context.rendering import RenderingMemo

SHORT, LONG = 1_000, 10_000
WINDOW, RESERVE = 32_000, 4_096
_TURNS_OF_BLOCK = 100
_LAST_TURNS = 50
_TURNS_AT_ONCE = 50


@dataclass(frozen=True)
class Times:
    """Milliseconds of processor time of the steps at the end of a thread, apart where something was condensed."""

    steady: list[float]
    compacting: list[float]


def measure() -> Report:
    short, long = times(SHORT), times(LONG)
    steady, of_long = median(short.steady), median(long.steady)
    return Report(
        name="plan-time",
        title="Planning a request",
        how=(
            f"`plan()` for each request of the last {_LAST_TURNS} turns of a generated thread, with a window of "
            f"{WINDOW:,} tokens: a step that only adds, and one that condenses. Milliseconds of processor time, which "
            "other work on the machine lengthens, too, where two cores are one. What was written for the request "
            "before is remembered, as in the product."
        ),
        figures=[
            at_most(f"{SHORT:,} messages, a step, median", steady, 2, "ms", 2),
            at_most("the same where it compacts, median", median(short.compacting), 30, "ms"),
            Figure("the same where it compacts, slowest", f"{max(short.compacting):.1f} ms"),
            Figure(f"{LONG:,} messages, a step, median", f"{of_long:.2f} ms"),
            at_most("the same, more than with 1,000", 100 * (of_long / steady - 1), 20, "%", 0),
            Figure("the same where it compacts, median", f"{median(long.compacting):.1f} ms"),
        ],
    )


def long_thread(messages: int) -> list[UIMessage]:
    """One generated conversation again and again, its messages and calls under new names each time."""
    block = conversation(0, _TURNS_OF_BLOCK).messages
    return [
        {
            **message,
            "id": f"{message['id']}-{again}",
            "parts": [_renamed(part, again) for part in message["parts"]],
        }
        for again in range(messages // len(block))
        for message in block
    ]


def times(messages: int) -> Times:
    """Go through the whole thread in leaps, condensing on the way, and time every step of its last turns."""
    thread = long_thread(messages)
    gc.collect()
    gc.freeze()  # Otherwise the collector's walks over the thread itself are timed.
    compaction: Compaction | None = None
    found = Times([], [])
    first_timed = messages - 2 * _LAST_TURNS
    leaps = range(1, first_timed, 2 * _TURNS_AT_ONCE)
    memo = RenderingMemo()
    for end in (*leaps, *range(first_timed + 1, messages, 2)):
        is_timed = end > first_timed
        for so_far in _steps(thread, end) if is_timed else [thread[:end]]:
            started = time.process_time()
            made = _plan(so_far, compaction, memo)
            took = 1_000 * (time.process_time() - started)
            compaction = made.compaction
            if is_timed:
                (found.compacting if made.has_compacted else found.steady).append(took)
    return found


def _plan(so_far: Sequence[UIMessage], compaction: Compaction | None, memo: RenderingMemo) -> Plan:
    return plan(
        so_far,
        Frame(FULL.system, "full", FULL.tools, facts=FACTS),
        Budget(WINDOW, RESERVE),
        compaction=compaction,
        memo=memo,
    )


def _steps(thread: Sequence[UIMessage], end: int) -> Iterator[list[UIMessage]]:
    """The conversation at each request of the turn whose user message is the last of `thread[:end]`."""
    yield list(thread[:end])
    answer = thread[end]
    for index, part in enumerate(answer["parts"]):
        if index and part["type"] == "step-start":
            yield [*thread[:end], {**answer, "parts": answer["parts"][:index]}]


def _renamed(part: Part, again: int) -> Part:
    return {**part, "toolCallId": f"{part['toolCallId']}-{again}"} if is_tool_part(part) else part

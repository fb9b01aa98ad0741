"""`python -m bench.context.plan_time`: how long planning a request of a long thread takes."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench.report import Figure, at_most
from engine.context.plan import Budget, Compaction, Memo, Plan, plan
from engine.messages import Part, UIMessage, is_tool_part

from .conversations import conversation
from .fixed_part import FULL

SHORT, LONG = 1_000, 10_000
WINDOW, RESERVE = 32_000, 4_096
_TURNS_OF_BLOCK = 100
_LAST_TURNS = 25
_TURNS_AT_ONCE = 20


@dataclass(frozen=True)
class Times:
    """Milliseconds of processor time of the steps at the end of a thread, apart where something was condensed."""

    steady: list[float]
    compacting: list[float]


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
    for end in (*leaps, *range(first_timed + 1, messages, 2)):
        is_timed = end > first_timed
        memo = Memo()
        for so_far in _steps(thread, end) if is_timed else [thread[:end]]:
            started = time.process_time()
            made = _plan(so_far, compaction, memo)
            took = 1_000 * (time.process_time() - started)
            compaction = made.compaction
            if is_timed:
                (found.compacting if made.has_compacted else found.steady).append(took)
    return found


def figures() -> list[Figure]:
    short, long = times(SHORT), times(LONG)
    steady, of_long = median(short.steady), median(long.steady)
    return [
        at_most(f"plan(), {SHORT:,} messages, a step", steady, 2, "ms", 2),
        at_most("the same where it compacts, median", median(short.compacting), 30, "ms"),
        Figure("the same where it compacts, slowest", f"{max(short.compacting):.1f} ms"),
        at_most(
            f"plan(), {LONG:,} messages, a step: more than with {SHORT:,}",
            100 * (of_long / steady - 1),
            20,
            "%",
            0,
        ),
        Figure(
            f"plan(), {LONG:,} messages: a step, and where it compacts",
            f"{of_long:.2f} ms, {median(long.compacting):.1f} ms",
        ),
    ]


def _plan(so_far: Sequence[UIMessage], compaction: Compaction | None, memo: Memo) -> Plan:
    return plan(
        so_far,
        system=FULL.system,
        form="full",
        tools=FULL.tools,
        skills={},
        budget=Budget(WINDOW, RESERVE),
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


def main() -> int:
    missed = 0
    for figure in figures():
        print(f"{figure.what}  {figure.measured}{figure.aside()}")
        missed += figure.reached is False
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

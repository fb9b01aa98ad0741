"""How far a turn may go before the person is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.events import Notice
from ...base.messages import UIMessage, last_user_index
from ...context.turn_calls import calls_of_turn


@dataclass(frozen=True)
class Limits:
    """Counted since the newest user message, over all responses of the turn.

    A call repeated `repeats` times in a row with the same result each time stops the turn. `minutes` are those in which
    the model was asked.
    """

    steps: int = 25
    calls: int = 60
    parallel_calls: int = 8
    repeats: int = 5
    minutes: int = 10


def steps_of_turn(conversation: Sequence[UIMessage]) -> int:
    turn = conversation[last_user_index(conversation) + 1 :]
    return sum(part["type"] == "step-start" for message in turn for part in message["parts"])


def limit_reached(
    conversation: Sequence[UIMessage], limits: Limits, *, seconds: float = 0.0
) -> Notice | None:
    steps, calls = steps_of_turn(conversation), len(calls_of_turn(conversation))
    if steps >= limits.steps:
        return _stop_notice(f"{steps} steps")
    if seconds >= limits.minutes * 60:
        return _stop_notice(f"{limits.minutes} minutes")
    return _stop_notice(f"{calls} tool calls") if calls >= limits.calls else None


def _stop_notice(after: str) -> Notice:
    return Notice("step-limit", f"Stopped after {after} without an end. Continue if it is on the right way.")

"""The limits at which a turn stops to ask the user: steps, calls, minutes and costs."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ...base.events import Notice, Usage
from ...base.messages import UIMessage, last_user_index
from ...context.turn_calls import list_turn_calls
from ...store.costs import Costs

_TURNS_KEPT = 500


@dataclass(frozen=True)
class Limits:
    """The limits of a turn, counted since the newest user message over all of its responses.

    A call repeated `repeats` times in a row with the same result stops the turn. `minutes` is the time spent on
    requests to the model.
    """

    steps: int = 25
    calls: int = 60
    parallel_calls: int = 8
    repeats: int = 5
    minutes: int = 10


def count_steps(conversation: Sequence[UIMessage]) -> int:
    turn = conversation[last_user_index(conversation) + 1 :]
    return sum(part["type"] == "step-start" for message in turn for part in message["parts"])


def limit_notice(conversation: Sequence[UIMessage], limits: Limits, *, seconds: float = 0.0) -> Notice | None:
    steps, calls = count_steps(conversation), len(list_turn_calls(conversation))
    if steps >= limits.steps:
        return _stop_notice(f"{steps} steps")
    if seconds >= limits.minutes * 60:
        return _stop_notice(f"{limits.minutes} minutes")
    return _stop_notice(f"{calls} tool calls") if calls >= limits.calls else None


def _stop_notice(after: str) -> Notice:
    return Notice("step-limit", f"Stopped after {after} without an end. Continue if it is on the right way.")


class TurnClock:
    """A stopwatch of a turn's requests. It stands still while tools and workflows run, and between responses."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._before = 0.0
        self._began: float | None = None

    @property
    def seconds(self) -> float:
        """The seconds so far, the running request included."""
        return self._before + (0.0 if self._began is None else self._now() - self._began)

    @contextmanager
    def running(self) -> Iterator[None]:
        self._began = self._now()
        try:
            yield
        finally:
            self._before, self._began = self.seconds, None


class TurnClocks:
    """The clocks of turns by the ids of their answers; those of the oldest turns are dropped."""

    def __init__(self) -> None:
        self._clocks: OrderedDict[str, TurnClock] = OrderedDict()

    def get(self, message_id: str) -> TurnClock:
        clock = self._clocks.setdefault(message_id, TurnClock())
        self._clocks.move_to_end(message_id)
        if len(self._clocks) > _TURNS_KEPT:
            self._clocks.popitem(last=False)
        return clock


class TurnUsage:
    """The tokens of a turn as its provider counts them: those of all its requests, and the usage of the newest."""

    def __init__(self) -> None:
        self.tokens = 0
        self.newest: Usage | None = None

    def add(self, usage: Usage | None) -> None:
        if usage is not None:
            self.newest = usage
            self.tokens += usage.input_tokens + usage.output_tokens

    def as_json(self) -> dict[str, float]:
        """Return the newest usage as the metadata of a message has it; empty where no provider told any."""
        usage = self.newest
        if usage is None:
            return {}
        total = usage.input_tokens + usage.output_tokens
        cached = {} if usage.cached_tokens is None else {"cachedInputTokens": usage.cached_tokens}
        counts = {"inputTokens": usage.input_tokens, "outputTokens": usage.output_tokens}
        return {**counts, "totalTokens": total, **cached}


@dataclass(frozen=True)
class Spending:
    """The cost of the answer `message_id`, and the budgets that limit it.

    A budget is None if it is not set, or if the user lets the turn go on.
    """

    costs: Costs
    message_id: str
    answer_tokens: int | None = None
    day_cents: int | None = None

    async def budget_notice(self) -> Notice | None:
        """Return the notice that stops the turn if a budget is used up."""
        if self.answer_tokens is not None:
            tokens = (await self.costs.answer_cost(self.message_id)).tokens
            if tokens >= self.answer_tokens:
                return _budget_reached(
                    f"{tokens:,} of {self.answer_tokens:,} tokens spent on this answer", "budget-turn-tokens"
                )
        if self.day_cents is not None:
            dollars = (await self.costs.today_cost()).dollars
            if dollars * 100 >= self.day_cents:
                return _budget_reached(
                    f"${dollars:,.2f} of ${self.day_cents / 100:,.2f} spent today", "budget-day-dollars"
                )
        return None

    async def price_notice(self, conversation: Sequence[UIMessage]) -> Notice | None:
        """Return a notice, once in a chat, if the budget in dollars cannot see all that was spent."""
        if self.day_cents is None or _was_told(conversation, "price-unknown"):
            return None
        if not (unpriced := (await self.costs.today_cost()).unpriced):
            return None
        requests = "one request" if unpriced == 1 else f"{unpriced:,} requests"
        return Notice(
            "price-unknown",
            f"The budget of ${self.day_cents / 100:,.2f} cannot hold: nobody knows what {requests} today cost. "
            "Enter the model's price in the settings, or set a budget in tokens.",
        )

    async def dollars(self) -> float:
        """Return the known cost of the answer so far."""
        return round((await self.costs.answer_cost(self.message_id)).dollars, 8)


def _budget_reached(amounts: str, setting: str) -> Notice:
    return Notice(
        "budget",
        f"The budget is reached: {amounts}. "
        f"Go on with this turn all the same, or change the budget by /config {setting}.",
    )


def _was_told(conversation: Sequence[UIMessage], code: str) -> bool:
    parts = (part for message in conversation for part in message["parts"])
    return any(part["type"] == "data-notice" and part["data"].get("code") == code for part in parts)

"""Whether a turn may go on spending: tokens of its answer, dollars of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.events import Notice
from ...base.messages import UIMessage
from ...store.costs import Costs


@dataclass(frozen=True)
class Spending:
    """What the answer `message_id` has cost, and the budgets that it is held against.

    A budget that is None does not hold: it is not set, or the person lets the turn go on.
    """

    costs: Costs
    message_id: str
    answer_tokens: int | None = None
    day_cents: int | None = None

    async def reached(self) -> Notice | None:
        """Why no other request may be sent."""
        if self.answer_tokens is not None:
            tokens = (await self.costs.of_answer(self.message_id)).tokens
            if tokens >= self.answer_tokens:
                return _reached(
                    f"{tokens:,} of {self.answer_tokens:,} tokens spent on this answer", "budget-turn-tokens"
                )
        if self.day_cents is not None:
            dollars = (await self.costs.of_today()).dollars
            if dollars * 100 >= self.day_cents:
                return _reached(
                    f"${dollars:,.2f} of ${self.day_cents / 100:,.2f} spent today", "budget-day-dollars"
                )
        return None

    async def unknown(self, conversation: Sequence[UIMessage]) -> Notice | None:
        """That the budget in dollars does not see all that is spent; told once in a chat."""
        if self.day_cents is None or _was_told(conversation, "price-unknown"):
            return None
        if not (unpriced := (await self.costs.of_today()).unpriced):
            return None
        requests = "one request" if unpriced == 1 else f"{unpriced:,} requests"
        return Notice(
            "price-unknown",
            f"The budget of ${self.day_cents / 100:,.2f} cannot hold: nobody knows what {requests} today cost. "
            "Enter the model's price in the settings, or set a budget in tokens.",
        )

    async def dollars(self) -> float:
        """What the answer came to so far, as far as that is known."""
        return round((await self.costs.of_answer(self.message_id)).dollars, 8)


def _reached(amounts: str, setting: str) -> Notice:
    return Notice(
        "budget",
        f"The budget is reached: {amounts}. "
        f"Go on with this turn all the same, or change the budget by /config {setting}.",
    )


def _was_told(conversation: Sequence[UIMessage], code: str) -> bool:
    parts = (part for message in conversation for part in message["parts"])
    return any(part["type"] == "data-notice" and part["data"].get("code") == code for part in parts)

"""Whether a turn may go on spending, by the budgets of turn, chat and day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...base.events import Notice
from ...base.messages import UIMessage
from ...settings.options import Options
from ...store.costs import Costs, Spent

BEYOND_BUDGET = "beyondBudget"
"""In the metadata of a user message: the person lets its turn go on."""

Scope = Literal["turn", "chat", "day"]
_CALLED: dict[Scope, str] = {"turn": "this turn", "chat": "this chat", "day": "today"}


@dataclass(frozen=True)
class Budget:
    """`limit` is in tokens or in hundredths of a dollar."""

    option: str
    scope: Scope
    unit: Literal["tokens", "cents"]
    limit: int

    def spent_of(self, spent: Spent) -> float:
        return spent.tokens if self.unit == "tokens" else spent.dollars * 100

    def as_json(self, spent: Spent | None = None) -> dict[str, Any]:
        entry = {"option": self.option, "scope": self.scope, "unit": self.unit, "limit": self.limit}
        return entry if spent is None else {**entry, "spent": round(self.spent_of(spent), 4)}

    def blind(self, spent: Spent) -> Notice:
        requests = "one request" if spent.unpriced == 1 else f"{spent.unpriced:,} requests"
        return Notice(
            "price-unknown",
            f"The budget of ${self.limit / 100:,.2f} cannot hold: nobody knows what {requests} {_CALLED[self.scope]} "
            "cost. Enter the model's price in the settings, or set a budget in tokens.",
        )

    def notice(self, spent: Spent) -> Notice:
        used = self.spent_of(spent)
        amounts = (
            f"{used:,.0f} of {self.limit:,} tokens"
            if self.unit == "tokens"
            else f"${used / 100:,.2f} of ${self.limit / 100:,.2f}"
        )
        return Notice(
            "budget",
            f"The budget is reached: {amounts} spent {_CALLED[self.scope]}. "
            f"Go on with this turn all the same, or change the budget by /config {self.option}.",
        )


def budgets_of(options: Options) -> Iterator[Budget]:
    """Those that are set."""
    for scope in _CALLED:
        for unit in ("tokens", "cents"):
            option = f"budget_{scope}_{unit}"
            if limit := getattr(options, option):
                yield Budget(option, scope, unit, limit)


@dataclass(frozen=True)
class Spending:
    """The budgets of a turn; none of them where the person lets it go on."""

    costs: Costs
    budgets: tuple[Budget, ...] = ()
    thread_id: str | None = None
    message_id: str = ""

    async def reached(self) -> Notice | None:
        """Why no other request may be sent."""
        for budget in self.budgets:
            spent = await self._spent(budget.scope)
            if budget.spent_of(spent) >= budget.limit:
                return budget.notice(spent)
        return None

    async def unknown(self, conversation: Sequence[UIMessage]) -> Notice | None:
        """That a budget in dollars does not see all that is spent; told once in a chat."""
        in_dollars = [budget for budget in self.budgets if budget.unit == "cents"]
        if not in_dollars or _was_told(conversation, "price-unknown"):
            return None
        for budget in in_dollars:
            if (spent := await self._spent(budget.scope)).unpriced:
                return budget.blind(spent)
        return None

    async def dollars(self) -> float:
        """What the answer came to so far, as far as that is known."""
        return round((await self.costs.of_answer(self.message_id)).dollars, 8)

    async def _spent(self, scope: Scope) -> Spent:
        if scope == "turn":
            return await self.costs.of_answer(self.message_id)
        if scope == "day":
            return await self.costs.of_today()
        return Spent() if self.thread_id is None else await self.costs.of_thread(self.thread_id)


def _was_told(conversation: Sequence[UIMessage], code: str) -> bool:
    parts = (part for message in conversation for part in message["parts"])
    return any(part["type"] == "data-notice" and part["data"].get("code") == code for part in parts)

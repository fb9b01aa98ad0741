"""Costs: one row for each request to a model, whoever made it and however it ended.

A thread's requests are deleted with it. These rows stay, without the thread, so that the sum of a day holds.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from ..base.caller import DEFAULT_USER, current_user
from ..base.events import Usage
from .database import Database
from .rows import require_thread, stored_text

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

CostKind = Literal["answer", "task", "summary"]
_MOST_CHATS = 50


@dataclass(frozen=True)
class CostSum:
    """The sums of some requests. `dollars` covers those with a known price.

    `unpriced` counts the requests without a known price, `counted` those whose tokens we counted ourselves.
    """

    requests: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0
    counted: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: CostSum) -> CostSum:
        return CostSum(*(one + more for one, more in zip(_values(self), _values(other), strict=True)))

    def as_json(self) -> dict[str, Any]:
        return {
            "requests": self.requests,
            "inputTokens": self.input_tokens,
            "cachedInputTokens": self.cached_input_tokens,
            "outputTokens": self.output_tokens,
            "dollars": round(self.dollars, 8),
            "unpriced": self.unpriced,
            "counted": self.counted,
        }


class Costs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        *,
        thread_id: str | None,
        message_id: str,
        kind: CostKind,
        model: str,
        usage: Usage,
        is_counted: bool,
        dollars: float | None,
    ) -> None:
        """Record the tokens of a request and its cost in `dollars`, None if its price is unknown."""
        await self._database.run(
            _add,
            thread_id,
            message_id=message_id,
            kind=kind,
            model=stored_text(model),
            input_tokens=usage.input_tokens,
            cached_input_tokens=usage.cached_tokens,
            output_tokens=usage.output_tokens,
            is_counted=is_counted,
            dollars=dollars,
        )

    async def answer_cost(self, message_id: str) -> CostSum:
        """Return the sums of an answer, by the id of its message."""
        return await self._database.run(_cost_sum, message_id=message_id)

    async def today_cost(self) -> CostSum:
        """Return the sums of the current user's requests of today."""
        return await self._database.run(_cost_sum, day=today())

    async def sums_by_answer(self, thread_id: str) -> list[tuple[str, CostSum]]:
        """Return the message id and the sums of each answer of a thread, on all its branches, oldest first.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(_sums_by_answer, thread_id)

    async def sums_by_day_and_model(self, since: str) -> list[tuple[str, str, CostSum]]:
        """Return day, model and sums of the user's requests since the day `since`, such as 2026-01-31."""
        return await self._database.run(_sums_by_day_and_model, since)

    async def sums_by_thread(self, since: str) -> list[tuple[str | None, str | None, CostSum]]:
        """Return id, title and sums of the threads that cost most since a day; deleted threads share one entry
        without both.
        """
        return await self._database.run(_sums_by_thread, since)


def today() -> str:
    """Return the local date, such as 2026-01-31."""
    return date.today().isoformat()


def _values(spent: CostSum) -> tuple[Any, ...]:
    return tuple(asdict(spent).values())


def _add(connection: Connection, thread_id: str | None, **values: Any) -> None:
    from .schema import cost, thread

    owner = current_user() or DEFAULT_USER
    if thread_id is not None:
        row = connection.execute(thread.select().where(thread.c.id == thread_id)).first()
        thread_id, owner = (None, owner) if row is None else (row.id, row.owner)
    now = time.time()
    day = date.fromtimestamp(now).isoformat()
    row = {**values, "thread_id": thread_id, "owner": owner, "created_at": now, "day": day}
    connection.execute(cost.insert(), row)


def _cost_sum(connection: Connection, **where: Any) -> CostSum:
    user = current_user()
    sums = _sums_where(tuple(where), is_of_user=user is not None)
    return CostSum(*connection.execute(sums, {**where, "user": user}).one())


@cache
def _sums_where(names: tuple[str, ...], *, is_of_user: bool) -> Select[Any]:
    """Return the statement that sums the rows whose columns of these names equal the bound values."""
    from sqlalchemy import bindparam, select

    from .schema import cost

    sums = select(*_sums()).where(*(cost.c[name] == bindparam(name) for name in names))
    return sums.where(cost.c.owner == bindparam("user")) if is_of_user else sums


def _sums_by_answer(connection: Connection, thread_id: str) -> list[tuple[str, CostSum]]:
    from sqlalchemy import func, select

    from .schema import cost

    require_thread(connection, thread_id)
    rows = connection.execute(
        select(cost.c.message_id, *_sums())
        .where(cost.c.thread_id == thread_id)
        .group_by(cost.c.message_id)
        .order_by(func.min(cost.c.seq))
    )
    return [(message_id, CostSum(*sums)) for message_id, *sums in rows]


def _sums_by_day_and_model(connection: Connection, since: str) -> list[tuple[str, str, CostSum]]:
    from sqlalchemy import select

    from .schema import cost

    keys = (cost.c.day, cost.c.model)
    rows: Any = connection.execute(
        select(*keys, *_sums()).where(_is_own(), cost.c.day >= since).group_by(*keys).order_by(*keys)
    )
    return [(day, model, CostSum(*sums)) for day, model, *sums in rows]


def _sums_by_thread(connection: Connection, since: str) -> list[tuple[str | None, str | None, CostSum]]:
    from sqlalchemy import func, select

    from .schema import cost, thread

    dollars, tokens = func.sum(cost.c.dollars), func.sum(cost.c.input_tokens + cost.c.output_tokens)
    sums = (
        select(cost.c.thread_id, *_sums())
        .where(_is_own(), cost.c.day >= since)
        .group_by(cost.c.thread_id)
        # NULL, the sum of unknown prices, sorts as the largest value in PostgreSQL and as the smallest in SQLite.
        .order_by(func.coalesce(dollars, 0).desc(), tokens.desc())
        .limit(_MOST_CHATS)
    )
    rows = connection.execute(sums).all()
    ids = [row[0] for row in rows if row[0] is not None]
    titles: dict[str, str | None] = {}
    for row in connection.execute(select(thread.c.id, thread.c.title).where(thread.c.id.in_(ids))):
        titles[row.id] = row.title
    return [(row[0], titles.get(row[0]), CostSum(*row[1:])) for row in rows]


def _sums() -> list[ColumnElement[Any]]:
    """Return the summed columns, in the order of the fields of `CostSum`."""
    from sqlalchemy import case, func

    from .schema import cost

    def total(column: Any) -> ColumnElement[Any]:
        return func.coalesce(func.sum(column), 0)

    return [
        func.count(),
        *map(total, (cost.c.input_tokens, cost.c.cached_input_tokens, cost.c.output_tokens, cost.c.dollars)),
        total(case((cost.c.dollars.is_(None), 1), else_=0)),
        total(case((cost.c.is_counted, 1), else_=0)),
    ]


def _is_own() -> ColumnElement[bool]:
    from sqlalchemy import true

    from .schema import cost

    user = current_user()
    return true() if user is None else cost.c.owner == user

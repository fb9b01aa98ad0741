"""Rules for all chats: those that the person wrote into a file, and what they had remembered and forgotten since.

The file is never written and goes on to be read. Of it, rows mark what no longer holds; a mark goes with its line.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..comfy_user import DEFAULT_USER, current_user
from ..errors import RequestError
from .database import Database
from .rows import stored_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_CHARACTERS = 400
MAX_RULES = 100


@dataclass(frozen=True)
class Rule:
    text: str
    source: Literal["file", "remembered"]

    def as_json(self) -> dict[str, str]:
        return {"text": self.text, "source": self.source}


class OwnRules:
    """`written` are the rules of the file, as it is now."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, written: Sequence[str]) -> list[Rule]:
        """What holds, in the order in which it was written."""
        return await self._database.run(_list, _owner(), written)

    async def remember(self, text: str, written: Sequence[str]) -> Rule:
        """A rule that holds already stays as it is.

        Raises:
            RequestError: `bad_rule` or `too_many_rules`.
        """
        text = " ".join(stored_text(text).split())
        if not text or len(text) > MAX_CHARACTERS:
            raise RequestError(
                "bad_rule",
                f"The rule has {len(text):,} characters; expected 1 to {MAX_CHARACTERS}.",
                hint="Say it in one sentence.",
            )
        return await self._database.run(_remember, _owner(), text, written)

    async def forget(self, text: str, written: Sequence[str]) -> None:
        """
        Raises:
            RequestError: `unknown_rule`.
        """
        await self._database.run(_forget, _owner(), text, written)


def _owner() -> str:
    return current_user() or DEFAULT_USER


def _list(connection: Connection, owner: str, written: Sequence[str]) -> list[Rule]:
    rows = _rows(connection, owner)
    forgotten = {row.text for row in rows if row.is_forgotten}
    in_file = [Rule(text, "file") for text in dict.fromkeys(written) if text not in forgotten]
    remembered = dict.fromkeys(row.text for row in rows if not row.is_forgotten)
    return [*in_file, *(Rule(text, "remembered") for text in remembered if text not in written)]


def _remember(connection: Connection, owner: str, text: str, written: Sequence[str]) -> Rule:
    from .schema import own_rule

    _drop_old_marks(connection, owner, written)
    rules = _list(connection, owner, written)
    if same := next((rule for rule in rules if rule.text == text), None):
        return same
    connection.execute(own_rule.delete().where(own_rule.c.owner == owner, own_rule.c.text == text))
    if text in written:
        return Rule(text, "file")
    if sum(rule.source == "remembered" for rule in rules) >= MAX_RULES:
        raise RequestError(
            "too_many_rules",
            f"There are {MAX_RULES} rules already.",
            hint="Forget one, or put them together.",
        )
    _insert(connection, owner, text, is_forgotten=False)
    return Rule(text, "remembered")


def _forget(connection: Connection, owner: str, text: str, written: Sequence[str]) -> None:
    from .schema import own_rule

    _drop_old_marks(connection, owner, written)
    if text not in [rule.text for rule in _list(connection, owner, written)]:
        raise RequestError(
            "unknown_rule",
            f'There is no rule "{text[:80]}"; it may have been forgotten already.',
            hint="GET /assistant/rules lists what holds.",
            status=404,
        )
    connection.execute(own_rule.delete().where(own_rule.c.owner == owner, own_rule.c.text == text))
    if text in written:
        _insert(connection, owner, text, is_forgotten=True)


def _drop_old_marks(connection: Connection, owner: str, written: Sequence[str]) -> None:
    """A line that was taken out of the file and is written there again holds again."""
    from .schema import own_rule

    for row in _rows(connection, owner):
        if row.is_forgotten and row.text not in written:
            connection.execute(own_rule.delete().where(own_rule.c.seq == row.seq))


def _insert(connection: Connection, owner: str, text: str, *, is_forgotten: bool) -> None:
    from .schema import own_rule

    values = {"owner": owner, "text": text, "is_forgotten": is_forgotten, "created_at": time.time()}
    connection.execute(own_rule.insert().values(values))


def _rows(connection: Connection, owner: str) -> Sequence[Any]:
    from .schema import own_rule

    return connection.execute(
        own_rule.select().where(own_rule.c.owner == owner).order_by(own_rule.c.seq)
    ).all()

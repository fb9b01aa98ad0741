"""Entries that a user writes in the panel: rules, preferences, and which documents are switched off."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from ..base.caller import DEFAULT_USER, current_user
from ..base.errors import RequestError
from ..base.text.portable_text import invisible_problem
from ..context.reminder import MOST_CHARACTERS
from .database import Database
from .rows import stored_text

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

Kind = Literal["rules", "preferences"]

_DOCUMENTS = "documents"
"""The kind of the rows that switch documents off."""


@dataclass(frozen=True)
class _Limits:
    noun: str
    characters: int
    entries: int


_LIMITS: Mapping[Kind, _Limits] = {
    "rules": _Limits("rule", 400, 100),
    "preferences": _Limits("preference", 80, 60),
}
_LONGEST_VALUE = 300


@dataclass(frozen=True)
class Entry:
    """A rule, or a preference with its name as `text`; from the store or from the user's file.

    A rule that `repeats` is sent with each message.
    """

    text: str
    value: str = ""
    source: Literal["file", "remembered"] = "remembered"
    is_on: bool = True
    repeats: bool = False

    def as_json(self) -> dict[str, Any]:
        value = {"value": self.value} if self.value else {}
        repeats = {"repeats": True} if self.repeats else {}
        return {"text": self.text, **value, "source": self.source, "isOn": self.is_on, **repeats}


@dataclass(frozen=True)
class Change:
    """A change of an entry; None leaves a value as it is. `before` is the text of the entry to move it before, "" for
    the end.
    """

    text: str | None = None
    value: str | None = None
    is_on: bool | None = None
    before: str | None = None
    repeats: bool | None = None


@dataclass(frozen=True)
class AllEntries:
    """The entries of a user by kind, on or off, each kind in its order; and the documents that are off."""

    by_kind: Mapping[Kind, Sequence[Entry]]
    documents_off: frozenset[str]


class UserEntries:
    """The entries of the current user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> AllEntries:
        """Return all entries."""
        return await self._database.run(_all)

    async def add(self, kind: Kind, text: str, value: str = "") -> Entry:
        """Add an entry, or switch it on if it is there; a preference takes the new value.

        Raises:
            RequestError: `invalid_request` or `too_large`.
        """
        return await self._database.run(
            lambda connection: _Entries(connection, kind).add(one_line(text), one_line(value))
        )

    async def change(self, kind: Kind, text: str, change: Change) -> Entry:
        """Change the entry with this text.

        Raises:
            RequestError: `not_found`, `invalid_request` or `too_large`.
        """
        return await self._database.run(lambda connection: _Entries(connection, kind).change(text, change))

    async def delete(self, kind: Kind, text: str) -> None:
        """Delete the entry with this text.

        Raises:
            RequestError: `not_found`.
        """
        await self._database.run(lambda connection: _Entries(connection, kind).delete(text))

    async def switch_document(self, name: str, *, is_on: bool) -> None:
        """Switch a document on or off."""
        await self._database.run(
            lambda connection: _Rows(connection, _DOCUMENTS).write(name, is_off=not is_on)
        )


def one_line(text: str) -> str:
    """Return a text on one line, as the store takes it."""
    return " ".join(stored_text(text).split())


def _all(connection: Connection) -> AllEntries:
    by_kind: dict[str, list[Entry]] = {kind: [] for kind in (*_LIMITS, _DOCUMENTS)}
    for row in connection.execute(_rows_of_all_kinds(), {"of": _owner()}):
        if row.kind in by_kind:
            by_kind[row.kind].append(_entry(row))
    documents_off = frozenset(entry.text for entry in by_kind[_DOCUMENTS] if not entry.is_on)
    return AllEntries({kind: by_kind[kind] for kind in _LIMITS}, documents_off)


@cache
def _rows_of_all_kinds() -> Select[Any]:
    from sqlalchemy import bindparam

    from .schema import own_entry

    position = own_entry.c.position
    return (
        own_entry.select()
        .where(own_entry.c.owner == bindparam("of"))
        .order_by(position.is_(None), position, own_entry.c.seq)
    )


def _owner() -> str:
    return current_user() or DEFAULT_USER


def _entry(row: Any) -> Entry:
    return Entry(row.text, row.value, is_on=not row.is_off, repeats=row.is_repeated)


class _Rows:
    """The rows of one user and kind, within one transaction."""

    def __init__(self, connection: Connection, kind: str) -> None:
        self._connection = connection
        self._kind = kind

    def read(self) -> list[Entry]:
        rows = self._connection.execute(_rows_of_all_kinds(), {"of": _owner()})
        return [_entry(row) for row in rows if row.kind == self._kind]

    def write(self, text: str, /, **values: Any) -> None:
        """Update the row with this text, or insert it."""
        from .schema import own_entry

        changed = self._connection.execute(own_entry.update().where(*self._where(text)).values(values))
        if not changed.rowcount:
            row = {"owner": _owner(), "kind": self._kind, "text": text, "created_at": time.time()}
            self._connection.execute(own_entry.insert().values(row | values))

    def delete(self, text: str) -> None:
        from .schema import own_entry

        self._connection.execute(own_entry.delete().where(*self._where(text)))

    def _where(self, text: str) -> tuple[Any, ...]:
        from .schema import own_entry

        return (
            own_entry.c.owner == _owner(),
            own_entry.c.kind == self._kind,
            own_entry.c.text == text,
        )


class _Entries:
    """The entries of one user and kind, within one transaction."""

    def __init__(self, connection: Connection, kind: Kind) -> None:
        self._kind: Kind = kind
        self._limits = _LIMITS[kind]
        self._rows = _Rows(connection, kind)

    def add(self, text: str, value: str) -> Entry:
        self._check(text, value)
        entries = self._rows.read()
        present = next((entry for entry in entries if entry.text == text), None)
        if present is None and len(entries) >= self._limits.entries:
            raise RequestError(
                "too_large",
                f"There are {self._limits.entries} {self._limits.noun}s already.",
                hint="Delete one, or put them together.",
            )
        new = replace(present or Entry(text), value=value, is_on=True)
        if new != present:
            self._check_sum(new, [entry for entry in entries if entry.text != text])
        self._rows.write(text, value=value, is_off=False)
        return new

    def change(self, text: str, change: Change) -> Entry:
        entries = self._rows.read()
        entry = self._find(text, entries)
        others = [other for other in entries if other is not entry]
        new = Entry(
            entry.text if change.text is None else one_line(change.text),
            entry.value if change.value is None else one_line(change.value),
            is_on=entry.is_on if change.is_on is None else change.is_on,
            repeats=entry.repeats if change.repeats is None else change.repeats,
        )
        is_news = (new.text, new.value) != (entry.text, entry.value)
        if is_news or (self._kind == "preferences" and new.is_on and not new.value):
            self._check(new.text, new.value)
        if new.repeats and self._kind == "preferences":
            raise _bad("Only a rule can be repeated with each message.", "Write it as a rule.")
        if any(other.text == new.text for other in others):
            raise _bad(f"There is the {self._limits.noun} already.", "Change that one.")
        if new != entry:
            self._check_sum(new, others)
        values = {"text": new.text, "value": new.value, "is_off": not new.is_on, "is_repeated": new.repeats}
        self._rows.write(text, **values)
        if change.before is not None:
            order = [other.text for other in others]
            order.insert(order.index(change.before) if change.before in order else len(order), new.text)
            for position, each in enumerate(order):
                self._rows.write(each, position=position)
        return new

    def delete(self, text: str) -> None:
        self._find(text, self._rows.read())
        self._rows.delete(text)

    def _find(self, text: str, entries: Sequence[Entry]) -> Entry:
        for entry in entries:
            if entry.text == text:
                return entry
        raise RequestError(
            "not_found",
            f'There is no {self._limits.noun} "{text[:80]}"; it may have been deleted already.',
            hint="GET /assistant/you lists what there is.",
            status=404,
        )

    def _check(self, text: str, value: str) -> None:
        if not 0 < len(text) <= self._limits.characters:
            raise _bad(
                f"The {self._limits.noun} has {len(text):,} characters; expected 1 to {self._limits.characters}.",
                "Say it in one sentence.",
            )
        if self._kind == "preferences" and not 0 < len(value) <= _LONGEST_VALUE:
            raise _bad(
                f"The value has {len(value):,} characters; expected 1 to {_LONGEST_VALUE}.",
                "Give it a short one.",
            )
        if problem := invisible_problem(text) or invisible_problem(value):
            raise _bad(problem, "Type the text anew.")

    def _check_sum(self, new: Entry, others: Sequence[Entry]) -> None:
        """Check that the rules sent with every message fit their common limit of characters."""
        sum_of_others = sum(len(entry.text) for entry in others if entry.is_on and entry.repeats)
        if new.is_on and new.repeats and sum_of_others + len(new.text) > MOST_CHARACTERS:
            raise RequestError(
                "too_large",
                f"The {self._limits.noun} has {len(new.text)} characters and the others that are repeated with each "
                f"message {sum_of_others}; at most {MOST_CHARACTERS} fit together.",
                hint="Shorten it, or let another one not be repeated.",
            )


def _bad(message: str, hint: str) -> RequestError:
    return RequestError("invalid_request", message, hint=hint)

"""What the person tells the assistant in single entries: rules, reminders, preferences, and which documents are off.

Some stand in a file, which is never written here and goes on to be read. Of its entries, rows mark which hold no more,
which are switched off and where they stand; a mark goes with its line. All others are rows of their own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from ..comfy_user import DEFAULT_USER, current_user
from ..context.reminder import MOST_CHARACTERS
from ..errors import RequestError
from ..text.unseen import problem_of_unseen
from .database import Database
from .rows import stored_text

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

Kind = Literal["rules", "reminders", "preferences", "documents"]


@dataclass(frozen=True)
class _Limits:
    """`in_all` counts the characters of all that are on: every message carries them."""

    noun: str
    characters: int
    entries: int
    in_all: int | None = None


_LIMITS: Mapping[Kind, _Limits] = {
    "rules": _Limits("rule", 400, 100),
    "reminders": _Limits("reminder", 200, 20, MOST_CHARACTERS),
    "preferences": _Limits("preference", 80, 60),
    "documents": _Limits("document", 80, 10),
}
_LONGEST_VALUE = 300


@dataclass(frozen=True)
class Entry:
    """A preference has a name for its text, and a value."""

    text: str
    value: str = ""
    source: Literal["file", "remembered"] = "file"
    is_on: bool = True

    def as_json(self) -> dict[str, Any]:
        value = {"value": self.value} if self.value else {}
        return {"text": self.text, **value, "source": self.source, "isOn": self.is_on}


@dataclass(frozen=True)
class Change:
    """What is None stays as it is. `before` is the text of the entry that it shall stand before, "" for the end."""

    text: str | None = None
    value: str | None = None
    is_on: bool | None = None
    before: str | None = None


Written = Sequence[tuple[str, str]]


class UserEntries:
    """`written` are the entries of the file, as it is now: each a text, and a value where it is a preference."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, kind: Kind, written: Written) -> list[Entry]:
        """Those that the person has, on or off, in their order."""
        return (await self.all({kind: written}))[kind]

    async def all(self, written: Mapping[Kind, Written]) -> dict[Kind, list[Entry]]:
        """Those of several kinds, as they are at one moment."""
        return await self._database.run(_all, written)

    async def remember(self, kind: Kind, text: str, written: Written, *, value: str = "") -> Entry:
        """One that is there already is switched on; a preference takes the new value.

        Raises:
            RequestError: `invalid_request` or `too_large`.
        """
        text, value = _one_line(text), _one_line(value)
        return await self._database.run(
            lambda connection: _Entries(connection, kind, written).remember(text, value)
        )

    async def change(self, kind: Kind, text: str, written: Written, change: Change) -> Entry:
        """
        Raises:
            RequestError: `not_found`, `invalid_request` or `too_large`.
        """
        return await self._database.run(
            lambda connection: _Entries(connection, kind, written).change(text, change)
        )

    async def forget(self, kind: Kind, text: str, written: Written) -> None:
        """
        Raises:
            RequestError: `not_found`.
        """
        await self._database.run(lambda connection: _Entries(connection, kind, written).forget(text))


def _all(connection: Connection, written: Mapping[Kind, Written]) -> dict[Kind, list[Entry]]:
    rows: dict[str, dict[str, Any]] = {kind: {} for kind in written}
    for row in connection.execute(_rows_of_all_kinds(), {"of": _owner()}):
        if row.kind in rows:
            rows[row.kind][row.text] = row
    return {kind: _listed(dict(entries), rows[kind]) for kind, entries in written.items()}


@cache
def _rows_of_all_kinds() -> Select[Any]:
    from sqlalchemy import bindparam

    from .schema import own_entry

    return own_entry.select().where(own_entry.c.owner == bindparam("of")).order_by(own_entry.c.seq)


def _owner() -> str:
    return current_user() or DEFAULT_USER


class _Entries:
    """Those of one person and kind, within one transaction."""

    def __init__(self, connection: Connection, kind: Kind, written: Written) -> None:
        self._connection = connection
        self._kind: Kind = kind
        self._written = dict(written)
        self._owner = _owner()

    def list(self) -> list[Entry]:
        return _listed(self._written, self._rows())

    def remember(self, text: str, value: str) -> Entry:
        self._drop_old_marks()
        if text not in self._written:
            _check_text(self._kind, text)
        if self._kind == "preferences" and self._written.get(text) != value:
            _check_value(value)
        present = next((entry for entry in self.list() if entry.text == text), None)
        if (
            present is None
            and sum(entry.source == "remembered" for entry in self.list()) >= self._limits.entries
        ):
            raise RequestError(
                "too_large",
                f"There are {self._limits.entries} {self._limits.noun}s already.",
                hint="Forget one, or put them together.",
            )
        if present is None or not present.is_on:
            self._check_sum(text)
        self._keep(text, value, is_on=True)
        return self._found(text)

    def change(self, text: str, change: Change) -> Entry:
        self._drop_old_marks()
        entry = self._found(text)
        new_text = entry.text if change.text is None else _one_line(change.text)
        value = entry.value if change.value is None else _one_line(change.value)
        is_on = entry.is_on if change.is_on is None else change.is_on
        if new_text != text:
            _check_text(self._kind, new_text)
        if self._kind == "preferences" and value != entry.value:
            _check_value(value)
        if is_on and not (entry.is_on and new_text == text):
            self._check_sum(new_text, instead_of=text)
        order = [each.text for each in self.list()]
        if new_text != text:
            if new_text in order:
                raise _bad(f"There is the {self._limits.noun} already.", "Change that one.")
            self.forget(text)
            order[order.index(text)] = new_text
        self._keep(new_text, value, is_on=is_on)
        if change.before is not None and change.before != new_text:
            order.remove(new_text)
            order.insert(order.index(change.before) if change.before in order else len(order), new_text)
        if change.before is not None or new_text != text:
            for place, each in enumerate(order):
                self._write(each, position=place)
        return self._found(new_text)

    def forget(self, text: str) -> None:
        self._drop_old_marks()
        self._found(text)
        if text in self._written:
            self._write(text, is_mark=True, is_forgotten=True, is_off=False)
        else:
            self._delete(text)

    @property
    def _limits(self) -> _Limits:
        return _LIMITS[self._kind]

    def _found(self, text: str) -> Entry:
        for entry in self.list():
            if entry.text == text:
                return entry
        raise RequestError(
            "not_found",
            f'There is no {self._limits.noun} "{text[:80]}"; it may have been forgotten already.',
            hint="GET /assistant/you lists what there is.",
            status=404,
        )

    def _check_sum(self, text: str, *, instead_of: str = "") -> None:
        """Of what is written here: of the file's own lines, as many are told as there is room for."""
        if text in self._written:
            return
        most = self._limits.in_all
        others = sum(
            len(entry.text) for entry in self.list() if entry.is_on and entry.text not in (text, instead_of)
        )
        if most is not None and others + len(text) > most:
            raise RequestError(
                "too_large",
                f"The {self._limits.noun} has {len(text)} characters and the others {others}; at most {most} fit "
                "together, because every message carries them.",
                hint="Shorten it, or switch another one off.",
            )

    def _drop_old_marks(self) -> None:
        """A line that was taken out of the file and is written there again holds again."""
        for row in self._rows().values():
            if row.is_mark and row.text not in self._written:
                self._delete(row.text)

    def _keep(self, text: str, value: str, *, is_on: bool) -> None:
        """By a mark on the file's line where that says the same."""
        row = self._rows().get(text)
        is_mark = self._written.get(text) == value and (row is None or row.is_mark)
        self._write(text, value=value, is_mark=is_mark, is_forgotten=False, is_off=not is_on)

    def _write(self, text: str, **values: Any) -> None:
        from .schema import own_entry

        if text in self._rows():
            self._connection.execute(own_entry.update().where(*self._is(text)).values(values))
            return
        is_written = text in self._written
        row = {"is_mark": is_written, "is_forgotten": False, "is_off": False, "created_at": time.time()}
        mine = {"owner": self._owner, "kind": self._kind, "text": text}
        self._connection.execute(own_entry.insert().values({**row, **mine, **values}))

    def _delete(self, text: str) -> None:
        from .schema import own_entry

        self._connection.execute(own_entry.delete().where(*self._is(text)))

    def _is(self, text: str) -> tuple[Any, ...]:
        from .schema import own_entry

        return (
            own_entry.c.owner == self._owner,
            own_entry.c.kind == self._kind,
            own_entry.c.text == text,
        )

    def _rows(self) -> dict[str, Any]:
        from .schema import own_entry

        rows = self._connection.execute(
            own_entry.select()
            .where(own_entry.c.owner == self._owner, own_entry.c.kind == self._kind)
            .order_by(own_entry.c.seq)
        )
        return {row.text: row for row in rows}


def _listed(written: Mapping[str, str], rows: Mapping[str, Any]) -> list[Entry]:
    """The entries of one kind: those of its file, and `rows` by their texts."""
    entries = [
        _written_entry(text, value, rows.get(text))
        for text, value in written.items()
        if text not in rows or not rows[text].is_forgotten
    ]
    entries += [
        Entry(row.text, row.value, "remembered", not row.is_off)
        for row in rows.values()
        if row.text not in written and not row.is_mark
    ]
    places = {row.text: row.position for row in rows.values() if row.position is not None}
    return sorted(entries, key=lambda entry: places.get(entry.text, len(places) + len(entries)))


def _written_entry(text: str, value: str, row: Any) -> Entry:
    """An entry of the file; of a preference, the value that the person gave it here goes before that of the file."""
    if row is None:
        return Entry(text, value)
    if row.is_mark or row.value == value:
        return Entry(text, value, is_on=not row.is_off)
    return Entry(text, row.value, "remembered", not row.is_off)


def _one_line(text: str) -> str:
    return " ".join(stored_text(text).split())


def _check_text(kind: Kind, text: str) -> None:
    limits = _LIMITS[kind]
    if not text or len(text) > limits.characters:
        raise _bad(
            f"The {limits.noun} has {len(text):,} characters; expected 1 to {limits.characters}.",
            "Say it in one sentence.",
        )
    _check_seen(text)


def _check_value(value: str) -> None:
    if not 0 < len(value) <= _LONGEST_VALUE:
        raise _bad(
            f"The value has {len(value):,} characters; expected 1 to {_LONGEST_VALUE}.",
            "Give it a short one.",
        )
    _check_seen(value)


def _check_seen(text: str) -> None:
    if problem := problem_of_unseen(text):
        raise _bad(problem, "Type the text anew.")


def _bad(message: str, hint: str) -> RequestError:
    return RequestError("invalid_request", message, hint=hint)

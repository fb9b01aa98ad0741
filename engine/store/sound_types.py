"""The types of columns: what is read is of the type that was written, whatever a damaged row holds.

SQLite keeps the type beside each value, and one bit makes another of it, or none. Nothing says so, and whoever reads
would fail at some later place, with it all else that stands in the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Float, Integer, LargeBinary, String, Text
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Dialect, Table
    from sqlalchemy.types import TypeEngine


class Sound(TypeDecorator[Any]):
    """`sound` makes a value of the type from any that a row may hold. None stays None, but where each row `has_one`."""

    impl = Text
    cache_ok = True
    nothing: Any = None

    def __init__(self, *arguments: Any, has_one: bool = False) -> None:
        super().__init__(*arguments)
        self.has_one = has_one

    def sound(self, value: Any) -> Any:
        raise NotImplementedError

    def read(self, value: Any) -> Any:
        if value is None:
            return self.nothing if self.has_one else None
        return self.sound(value)

    @property
    def python_type(self) -> type[Any]:
        return self.impl_instance.python_type

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002 - SQLAlchemy's
        return self.read(value)


class SoundText(Sound):
    impl = Text
    cache_ok = True
    nothing = ""

    def sound(self, value: Any) -> str:
        if isinstance(value, str):
            return value
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


class SoundString(SoundText):
    impl = String
    cache_ok = True


class SoundWord(SoundString):
    """One of a few. Where one bit of it is damaged, or a letter is lost, the others tell which it was."""

    cache_ok = True

    def __init__(self, length: int, words: tuple[str, ...], *, has_one: bool = False) -> None:
        super().__init__(length, has_one=has_one)
        self.words = words

    def sound(self, value: Any) -> str:
        text = super().sound(value)
        meant = [word for word in self.words if text not in self.words and _is_almost(text, word)]
        return meant[0] if len(meant) == 1 else text


class SoundFloat(Sound):
    impl = Float
    cache_ok = True
    nothing = 0.0

    def sound(self, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            return 0.0
        return number if math.isfinite(number) else 0.0


class SoundInteger(Sound):
    impl = Integer
    cache_ok = True
    nothing = 0

    def sound(self, value: Any) -> int:
        return value if isinstance(value, int) else 0


class SoundSequence(SoundInteger):
    """The number of a row, which SQLite counts in its own."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Integer() if dialect.name == "sqlite" else BigInteger())


class SoundBytes(Sound):
    impl = LargeBinary
    cache_ok = True
    nothing = b""

    def sound(self, value: Any) -> bytes:
        return b"" if isinstance(value, (str, int, float)) else bytes(value)

    def result_processor(self, dialect: Dialect, coltype: Any) -> Any:  # noqa: ARG002 - SQLAlchemy's
        """Without what SQLAlchemy does: it makes so many zeros of a number."""
        return self.read


def _is_almost(text: str, word: str) -> bool:
    different = [(one, other) for one, other in zip(text, word, strict=False) if one != other]
    return (
        len(text) == len(word)
        and len(different) == 1
        and (different[0][0] == "\ufffd" or (ord(different[0][0]) ^ ord(different[0][1])).bit_count() == 1)
    )


def sound_value(column_type: TypeEngine[Any], value: Any) -> Any:
    """What a column of that type may hold, of what stood in a row."""
    return column_type.read(value) if isinstance(column_type, Sound) else value


def let_each_row_have_one(tables: Iterable[Table]) -> None:
    """Tell the types of the columns that need a value. A key that is lost is none: its row has to be found again."""
    for column in (column for table in tables for column in table.columns):
        if isinstance(column.type, Sound) and not (column.nullable or column.primary_key):
            column.type.has_one = True

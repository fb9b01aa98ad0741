"""Where the tables of a SQLite file are whose first page is lost, which alone tells it.

The trees of their pages are found by their form, and which table one is by its rows.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .sqlite_pages import LEAF, Pages, cells, children, column_types, is_of_tree, pages_of, varint

_ROWS_LOOKED_AT = 20
_DEEPEST = 40

Types = Sequence[int]
"""What the columns of a row hold, as SQLite numbers it: 0 nothing, 1 to 9 numbers, then even bytes and odd text."""


@dataclass(frozen=True)
class MadeTable:
    """How a table is made in a new database, and the page where its tree begins there."""

    statement: str
    root: int


def has_trees(file: Path, page_size: int) -> bool:
    with pages_of(file, page_size) as pages:
        return next(pages.trees(), None) is not None


def tree_count(file: Path, page_size: int) -> int:
    """How many pages of trees are found in it, with pages of this size."""
    with pages_of(file, page_size) as pages:
        return sum(1 for _ in pages.trees())


def lost_roots(file: Path, page_size: int, tables: Mapping[str, MadeTable]) -> dict[str, int]:
    """The page where the tree of each table begins; a table that cannot be told from another is left out."""
    with pages_of(file, page_size) as pages:
        numbers = [*pages.trees()]
        below = {child for number in numbers for child in children(pages.page(number))}
        found = {root: [*_rows(pages, root)] for root in numbers if root not in below}
    fitting = {
        name: [root for root, rows in found.items() if rows and _fits(rows, columns)]
        for name, table in tables.items()
        if (columns := _columns(name, table.statement))
    }
    roots = {name: tables[name].root for name, fits in fitting.items() if tables[name].root in fits}
    known = -1
    while known < len(roots):
        known = len(roots)
        for name in fitting.keys() - roots.keys():
            others = [fits for other, fits in fitting.items() if other not in {name, *roots}]
            free = [root for root in fitting[name] if root not in roots.values()]
            if len(free) == 1 and not any(free[0] in fits for fits in others):
                roots[name] = free[0]
    return roots


def _rows(pages: Pages, root: int) -> Iterator[Types]:
    """Of some of its rows, what their columns hold."""
    number = root
    for _ in range(_DEEPEST):
        page = pages.page(number)
        if not page or not is_of_tree(page):
            return
        if page[0] == LEAF:
            yield from (_types(page, cell) for cell in cells(page)[:_ROWS_LOOKED_AT])
            return
        number = children(page)[0]


def _types(page: bytes, cell: int) -> Types:
    _, at = varint(page, cell)
    _, begin = varint(page, at)
    return column_types(page, begin)[0]


def _columns(name: str, statement: str) -> list[tuple[str, bool, bool]]:
    """Their types, whether one has to hold something, and whether it is the row's own number, which is not in it."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection, contextlib.suppress(sqlite3.Error):
        connection.execute(statement)
        columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        keys = sum(1 for column in columns if column[5])
        return [
            (str(kind).upper(), bool(needed), str(kind).upper() == "INTEGER" and bool(key) and keys == 1)
            for _, _, kind, needed, _, key in columns
        ]
    return []


def _fits(rows: Sequence[Types], columns: Sequence[tuple[str, bool, bool]]) -> bool:
    return all(
        len(types) == len(columns)
        and all(_may_hold(kind, *column) for kind, column in zip(types, columns, strict=True))
        for types in rows
    )


def _may_hold(kind: int, declared: str, is_needed: bool, is_row_number: bool) -> bool:
    if is_row_number or kind == 0:
        return kind == 0 and (is_row_number or not is_needed)
    is_text = kind >= 13 and kind % 2 == 1
    if "INT" in declared or declared == "BOOLEAN":
        return kind < 12 and kind != 7
    if "CHAR" in declared or "TEXT" in declared or "CLOB" in declared:
        return is_text
    if "BLOB" in declared:
        return kind >= 12 and not is_text
    return kind < 12 if any(name in declared for name in ("REAL", "FLOA", "DOUB")) else True

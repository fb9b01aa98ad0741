from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.store.recovery.lost_rows import rows_on_pages

VALUES: list[tuple[Any, ...]] = [
    (None, "one", 0, b"\x00\xff"),
    (None, "", 1, None),
    (None, "é" * 9_000, -(2**40), 0.25),
    (None, "x" * 40, 300, b"y" * 100_000),
    (None, None, 2**63 - 1, "z" * 4_061),
]


def made(path: Path, page_size: int) -> tuple[int, dict[int, list[Any]]]:
    """Where a table begins, and its rows by their numbers, one of them below zero."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA page_size={page_size}")
        connection.execute("CREATE TABLE one (seq INTEGER PRIMARY KEY, text TEXT, number, other)")
        connection.execute("INSERT INTO one VALUES (-7, 'before', 1, 2)")
        connection.executemany("INSERT INTO one VALUES (?, ?, ?, ?)", VALUES * 30)
        connection.commit()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'one'").fetchone()
        rows = connection.execute("SELECT * FROM one").fetchall()
    return root, {number: [None, *values] for number, *values in rows}


@pytest.mark.parametrize("page_size", [512, 4_096, 65_536])
def test_the_rows_are_those_that_sqlite_reads(tmp_path: Path, page_size: int) -> None:
    root, rows = made(tmp_path / "a.sqlite3", page_size)
    assert dict(rows_on_pages(tmp_path / "a.sqlite3", root)) == rows


def test_what_is_left_of_a_row_is_read_where_the_rest_of_it_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    root, rows = made(path, 4_096)
    content = bytearray(path.read_bytes())
    goes_on = content.index(b"y" * 4_092)
    content[goes_on - 4 : goes_on] = b"\xff\xff\xff\xff"
    path.write_bytes(content)
    with contextlib.closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.DatabaseError):
        connection.execute("SELECT * FROM one").fetchall()
    found = dict(rows_on_pages(path, root))
    (cut,) = (number for number in rows if found[number] != rows[number])
    assert found.keys() == rows.keys()
    assert found[cut][:3] == rows[cut][:3]
    assert rows[cut][3].startswith(found[cut][3])


@pytest.mark.parametrize("root", [0, 1, 9_999])
def test_a_page_that_is_none_of_a_table_has_no_rows_of_it(tmp_path: Path, root: int) -> None:
    made(tmp_path / "a.sqlite3", 4_096)
    assert [row for row in rows_on_pages(tmp_path / "a.sqlite3", root) if row[0] > 0 and row[1]] == []

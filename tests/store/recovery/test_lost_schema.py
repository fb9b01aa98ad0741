from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.recovery.lost_schema import MadeTable, has_trees, lost_roots

PAGE = 4_096
STATEMENTS = {
    "thread": "CREATE TABLE thread (id VARCHAR NOT NULL PRIMARY KEY, title TEXT, at FLOAT)",
    "event": "CREATE TABLE event (seq INTEGER PRIMARY KEY, thread VARCHAR NOT NULL, body BLOB NOT NULL)",
    "one": "CREATE TABLE one (name TEXT NOT NULL)",
    "other": "CREATE TABLE other (name TEXT NOT NULL)",
    "empty": "CREATE TABLE empty (a TEXT, b TEXT)",
}


def made(path: Path) -> dict[str, int]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in STATEMENTS.values():
            connection.execute(statement)
        for number in range(2_000):
            connection.execute("INSERT INTO thread VALUES (?, ?, ?)", (f"t{number}", None, number / 3))
            connection.execute(
                "INSERT INTO event (thread, body) VALUES (?, ?)", ("t1", b"x" * (number % 900 * 9))
            )
        connection.execute("INSERT INTO one VALUES ('a')")
        connection.execute("INSERT INTO other VALUES ('b')")
        connection.commit()
        return dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"))


def without_first_page(path: Path) -> None:
    path.write_bytes(bytes(PAGE) + path.read_bytes()[PAGE:])


def test_tables_are_told_by_their_rows_and_those_of_one_form_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    roots = made(path)
    without_first_page(path)
    elsewhere = {name: MadeTable(statement, 9_999) for name, statement in STATEMENTS.items()}
    assert lost_roots(path, PAGE, elsewhere) == {name: roots[name] for name in ("thread", "event")}


def test_tables_of_one_form_are_told_by_their_place_in_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    roots = made(path)
    without_first_page(path)
    tables = {name: MadeTable(statement, roots[name]) for name, statement in STATEMENTS.items()}
    expected = {name: roots[name] for name in ("thread", "event", "one", "other")}
    assert lost_roots(path, PAGE, tables) == expected


@pytest.mark.parametrize(
    "content", [b"", bytes(100), bytes(9 * PAGE), b"somebody's letter. " * 5_000, b"\x77" * 20_000]
)
def test_what_is_no_database_has_no_trees(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_bytes(content)
    assert not has_trees(path, PAGE)


def test_a_database_without_its_first_page_has_trees(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    made(path)
    without_first_page(path)
    assert has_trees(path, PAGE)

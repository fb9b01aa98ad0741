"""A copy of a damaged SQLite file that SQLite agrees to read.

It refuses a file whose size, header or schema do not agree with the rest, however much of the rest is whole. What the
form of the file is: https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..files import remove_database
from .lost_schema import MadeTable, has_trees, lost_roots, tree_count

_HEADER = 100
_MAGIC = b"SQLite format 3\0"
_PAGE_SIZES = [2**power for power in range(9, 17)]
_USUAL_PAGE = 4_096
_WAL = 2
_SCHEMA_FORMAT = 44


@contextlib.contextmanager
def readable_copy(file: Path, tables: Mapping[str, MadeTable]) -> Iterator[Path]:
    """A copy beside the file, whole in size and header; gone afterwards.

    Where the schema of one of the tables cannot be read, their `CREATE TABLE` takes its place; where all of it is lost,
    they are found by their rows.
    """
    copy = file.with_name(f"{file.name}.salvage")
    remove_database(copy)
    try:
        shutil.copyfile(file, copy)
        log = file.with_name(f"{file.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
        page = _mend_header(copy)
        if not _tells_tables(copy, tables):
            _write_schema(copy, page, tables)
        _mend_schema(copy, {name: table.statement for name, table in tables.items()})
        yield copy
    finally:
        remove_database(copy)


def has_lost_its_first_page(file: Path) -> bool:
    """Whether a file that does not begin as a database holds what one does behind its first page."""
    return has_trees(file, _USUAL_PAGE)


def _mend_header(file: Path) -> int:
    """The first bytes as every file has them, and as many pages as the header counts; how many bytes a page has."""
    size = file.stat().st_size
    with file.open("r+b") as content:
        header = bytearray(content.read(_HEADER).ljust(_HEADER, b"\0"))
        page = _page_size(file, int.from_bytes(header[16:18], "big"))
        pages = max(int.from_bytes(header[28:32], "big"), 1)
        # A count far beyond the file is damage itself.
        pages = max(pages if pages * page <= 2 * size + 1_000 * page else 0, -(-size // page))
        header[:24] = (
            _MAGIC + (1 if page == 65_536 else page).to_bytes(2, "big") + bytes((_WAL, _WAL, 0, 64, 32, 32))
        )
        header[28:32] = pages.to_bytes(4, "big")
        # The count is believed where these two agree; no page is free, no text but UTF-8.
        header[92:96] = header[24:28]
        header[32:40], header[56:60] = bytes(8), (1).to_bytes(4, "big")
        content.seek(0)
        content.write(header)
        content.truncate(pages * page)
    return page


def _page_size(file: Path, told: int) -> int:
    """What the header tells, or the usual size where more is found by that: one damaged byte makes another of it."""
    size = 65_536 if told == 1 else told
    if size not in _PAGE_SIZES:
        return _USUAL_PAGE
    return max(size, _USUAL_PAGE, key=lambda each: tree_count(file, each))


def _tells_tables(file: Path, tables: Mapping[str, MadeTable]) -> bool:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
            rows = connection.execute("SELECT name, tbl_name, sql FROM sqlite_master").fetchall()
            return any(name in tables or owner in tables or sql for name, owner, sql in rows)
        # It names more than can be read: what is left of it tells more than rows do.
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
            return connection.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone() is not None
    return False


def _write_schema(file: Path, page: int, tables: Mapping[str, MadeTable]) -> None:
    roots = lost_roots(file, page, tables)
    with file.open("r+b") as content:
        content.seek(_SCHEMA_FORMAT)
        content.write((4).to_bytes(4, "big"))
        content.seek(_HEADER)
        content.write(
            bytes((13, 0, 0, 0, 0)) + (page % 65_536).to_bytes(2, "big") + bytes(page - _HEADER - 7)
        )
    connection = sqlite3.connect(file, isolation_level=None)
    with contextlib.closing(connection), contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA writable_schema=ON")
        connection.executemany(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) "
            "VALUES ('table', :name, :name, :root, :statement)",
            [
                {"name": name, "root": root, "statement": tables[name].statement}
                for name, root in roots.items()
            ],
        )
        connection.execute("PRAGMA writable_schema=RESET")


def _mend_schema(file: Path, statements: Mapping[str, str]) -> None:
    """Tables as they are known to be; indexes only stand in the way of reading."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    with contextlib.closing(connection), contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
            if all(connection.execute(f"PRAGMA table_info({name})").fetchall() for name in statements):
                return
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("DELETE FROM sqlite_master WHERE type <> 'table'")
        for name, statement in statements.items():
            connection.execute(
                "UPDATE sqlite_master SET type = 'table', name = :name, tbl_name = :name, sql = :statement "
                "WHERE name = :name OR tbl_name = :name OR sql LIKE :like",
                {"name": name, "statement": statement, "like": f"%TABLE {name} %"},
            )
        connection.execute("PRAGMA writable_schema=RESET")

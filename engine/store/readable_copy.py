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

from .files import remove_database

_HEADER = 100
_MAGIC = b"SQLite format 3\0"
_PAGE_SIZES = [2**power for power in range(9, 17)]
_USUAL_PAGE = 4_096
_WAL = 2


@contextlib.contextmanager
def readable_copy(file: Path, statements: Mapping[str, str]) -> Iterator[Path]:
    """A copy beside the file, whole in size and header; gone afterwards.

    Where the schema of one of the tables in `statements` cannot be read, their `CREATE TABLE` takes its place.
    """
    copy = file.with_name(f"{file.name}.salvage")
    remove_database(copy)
    try:
        shutil.copyfile(file, copy)
        log = file.with_name(f"{file.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
        _mend_header(copy)
        _mend_schema(copy, statements)
        yield copy
    finally:
        remove_database(copy)


def _mend_header(file: Path) -> None:
    """The first bytes as every file has them, and as many pages as the header counts."""
    size = file.stat().st_size
    with file.open("r+b") as content:
        header = bytearray(content.read(_HEADER).ljust(_HEADER, b"\0"))
        page = int.from_bytes(header[16:18], "big")
        page = 65_536 if page == 1 else page
        if page not in _PAGE_SIZES:
            page = _USUAL_PAGE
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
                "UPDATE sqlite_master SET type = 'table', name = ?1, tbl_name = ?1, sql = ?2 "
                "WHERE name = ?1 OR tbl_name = ?1 OR sql LIKE ?3",
                (name, statement, f"%TABLE {name} %"),
            )
        connection.execute("PRAGMA writable_schema=RESET")

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.recovery.sqlite_pages import cells, children, pages_of, varint

PAGE = 512


@pytest.mark.parametrize(
    ("written", "number"),
    [
        (b"\x00", 0),
        (b"\x7f", 127),
        (b"\x81\x00", 128),
        (b"\xff" * 9, 2**64 - 1),
        (b"\x81", 128),
    ],
)
def test_a_number_takes_as_many_bytes_as_it_needs_and_one_that_is_cut_is_one_too(
    written: bytes, number: int
) -> None:
    assert varint(written, 0) == (number, max(len(written), 2) if written == b"\x81" else len(written))


def test_the_leaves_are_come_to_though_pages_name_each_other_in_a_circle(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA page_size={PAGE}")
        connection.execute("CREATE TABLE one (text TEXT)")
        connection.executemany("INSERT INTO one VALUES (?)", [("x" * 90,) for _ in range(200)])
        connection.commit()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master").fetchone()
    with pages_of(path, PAGE) as pages:
        leaves = [*pages.leaves(root)]
        first, second = cells(pages.page(root))[:2]
        assert len(leaves) == len(children(pages.page(root)))
        assert sum(len(cells(leaf)) for leaf in leaves) == 200
    content = bytearray(path.read_bytes())
    for cell, number in (first, root), (second, 2**31):
        at = (root - 1) * PAGE + cell
        content[at : at + 4] = number.to_bytes(4, "big")
    path.write_bytes(content)
    with pages_of(path, PAGE) as pages:
        assert [*pages.leaves(root)] == [leaf for leaf in leaves if leaf not in (leaves[0], leaves[1])]

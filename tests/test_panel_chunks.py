"""The chunks of the built panel in `js/` that load together, by the imports before they run."""

from __future__ import annotations

import re

import pytest

from dev.places import ROOT

CHUNKS = ROOT / "js" / "chunks"
IMPORTED = re.compile(r"""(?:from|import)\s*["']\./([^"']+)["']""")
HASHED_END = re.compile(r"-[\w-]{8}\.mjs$")


def imports() -> dict[str, set[str]]:
    """Return the imports by name, without the hash of their contents."""
    return {
        HASHED_END.sub("", path.name): {
            HASHED_END.sub("", name) for name in IMPORTED.findall(path.read_text("utf-8"))
        }
        for path in CHUNKS.glob("*.mjs")
    }


def loaded_with(chunk: str) -> set[str]:
    direct, found, waiting = imports(), set[str](), [chunk]
    while waiting:
        new = direct[waiting.pop()] - found
        found |= new
        waiting += new
    return found


@pytest.mark.slow
def test_no_chunk_waits_for_itself():
    assert [chunk for chunk in imports() if chunk in loaded_with(chunk)] == []


def test_the_first_chunks_of_the_panel_do_without_the_tools():
    assert "vendor" in loaded_with("mountPanel")
    assert "pageAccess" not in loaded_with("mountPanel")


def test_what_carries_out_edits_comes_after_the_tools():
    assert "batch" in loaded_with("calls")
    assert not {"calls", "batch"} & loaded_with("pageAccess")


def test_what_is_said_while_the_panel_is_closed_loads_neither_libraries_nor_the_panel():
    assert not {"vendor", "mountPanel", "pageAccess"} & loaded_with("toastLacks")

"""The files of the built panel in `js/`: the entry, and those that it loads when they are needed."""

from __future__ import annotations

import re

from dev.places import ROOT

JS = ROOT / "js"
IMPORTED = re.compile(r"""(?:from|import)\s*["']\./([^"']+)["']""")
HASHED_END = re.compile(r"-[\w-]{8}\.mjs$")


def imports() -> dict[str, set[str]]:
    """Return the imports by name, without the hash of their contents."""
    return {
        HASHED_END.sub("", path.name): {
            HASHED_END.sub("", name) for name in IMPORTED.findall(path.read_text("utf-8"))
        }
        for path in (JS / "chunks").glob("*.mjs")
    }


def test_the_panel_is_one_file_beside_its_libraries():
    assert imports() == {
        "panel": {"vendor", "missing", "rolldown-runtime"},
        "vendor": {"rolldown-runtime"},
        "missing": {"rolldown-runtime"},
        "rolldown-runtime": set(),
    }


def test_the_entry_imports_nothing_before_it_is_needed():
    assert IMPORTED.findall((JS / "assistant.js").read_text("utf-8")) == []

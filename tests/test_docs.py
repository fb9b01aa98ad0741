"""The documents are true about the tree: paths, links and commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "docs" / "architecture.md"
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "AGENTS.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
GENERATED = {".cache", "node_modules", "__pycache__"}


def name_of(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def table_after(heading: str) -> list[str]:
    """The first cells of the table under a heading of docs/architecture.md."""
    section = ARCHITECTURE.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [line.split("|")[1] for line in rows]


def places() -> set[str]:
    """The paths of the table of places; `ui/src/` names its folders in the second cell."""
    return {
        path.strip("/") for cell in table_after("Where things are") for path in re.findall(r"`([^`]+)`", cell)
    }


def test_every_place_of_the_architecture_is_there() -> None:
    assert [place for place in sorted(places()) if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("folder", ["engine", "ui/src"])
def test_every_folder_has_a_place_in_the_architecture(folder: str) -> None:
    text = ARCHITECTURE.read_text("utf-8")
    inside = [path for path in (ROOT / folder).iterdir() if path.is_dir() and path.name not in GENERATED]
    missing = [
        path.name
        for path in inside
        if f"{folder}/{path.name}" not in places()
        and not re.search(rf"`{folder}/`.*[` ]{path.name}[` ]", text)
    ]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text("utf-8"))
    local = [link for link in links if "://" not in link and not link.startswith("mailto:")]
    assert [link for link in local if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_paths_in_backticks_are_there(document: Path) -> None:
    """PromptSource that begin with a folder of the repository are paths, or modules without `.py`."""
    roots = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
    paths = re.findall(rf"`((?:{roots})/[\w./-]+)`", document.read_text("utf-8"))
    assert [path for path in paths if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_are_targets_of_the_makefile(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", document.read_text("utf-8"), re.MULTILINE))
    assert named <= targets

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ...pdf_files import pdf

SCRIPT = Path(__file__).parents[3] / "engine" / "base" / "files" / "pdf_script.py"


def said_by(file: Path, *, first: str = "pass") -> object:
    """What the script prints, in an interpreter that runs a line before it."""
    lines = [
        "import sys, runpy",
        first,
        f"sys.argv = ['', {str(file)!r}]",
        f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')",
    ]
    run = [sys.executable, "-c", "\n".join(lines)]
    return json.loads(subprocess.run(run, capture_output=True, check=True).stdout)


def test_without_the_reader_it_says_so(tmp_path: Path) -> None:
    assert said_by(tmp_path / "none.pdf", first="sys.modules['pypdf'] = None") == {"problem": "no-reader"}


@pytest.mark.slow
def test_it_reads_until_there_is_text_enough(tmp_path: Path) -> None:
    file = tmp_path / "long.pdf"
    file.write_bytes(pdf(["x" * 30_000] * 40))
    said = said_by(file)
    assert isinstance(said, dict)
    assert sum(map(len, said["pages"])) == 1_000_000
    assert (len(said["pages"]), said["count"]) == (34, 40)

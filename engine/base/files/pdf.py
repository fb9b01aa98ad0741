"""Text of PDF files, read by a subprocess that is killed when it takes too long."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import RequestError
from ..text.portable_text import valid_unicode

_SCRIPT = Path(__file__).with_name("pdf_script.py")
_MOST_BYTES = 100_000_000
_SECONDS = 60.0
_READERS = ThreadPoolExecutor(2, thread_name_prefix="read-pdf")
"""A pool of two threads of its own, so that the event loop's default pool stays free for the rest of ComfyUI."""
_INSTALL = f'"{sys.executable}" -m pip install pypdf'


@dataclass(frozen=True)
class PdfText:
    """The texts of the pages that were read, in order; `count` is the number of pages in the file."""

    pages: Sequence[str]
    count: int

    def as_text(self) -> str:
        """Return the text with a line "[Page n]" before each page, so that pages can be cited."""
        text = "\n\n".join(f"[Page {number}]\n{page.strip()}" for number, page in enumerate(self.pages, 1))
        left_out = self.count - len(self.pages)
        return valid_unicode(f"{text}\n\n[{left_out:,} more pages were not read]" if left_out else text)


async def read_pdf(path: Path, *, seconds: float = _SECONDS) -> PdfText:
    """Read the text of a PDF file within `seconds`.

    Raises:
        RequestError: `too_large`, or `unreadable`, with status 501 where pypdf is not installed.
    """
    size = await asyncio.to_thread(lambda: path.stat().st_size)
    if size > _MOST_BYTES:
        raise RequestError(
            "too_large",
            f"The PDF has {size / 1e6:,.0f} MB; at most {_MOST_BYTES / 1e6:,.0f} MB are read.",
            hint="Split it, and take the part that matters.",
        )
    answer = await _ask_script(path, seconds)
    match answer:
        case {"pages": [*pages], "count": int(count)} if any(str(page).strip() for page in pages):
            return PdfText([str(page) for page in pages], count)
        case {"pages": _}:
            raise RequestError(
                "unreadable",
                "The PDF has no text: its pages are pictures.",
                hint="Use its pages as images, for a model that sees.",
            )
        case {"problem": "no-reader"}:
            raise RequestError(
                "unreadable",
                "Reading PDF files takes the Python package pypdf, which is not installed.",
                hint=f"Install it with {_INSTALL}, then try again; ComfyUI need not restart.",
                status=501,
            )
        case {"problem": "encrypted"}:
            raise RequestError(
                "unreadable",
                "The PDF cannot be read without its password.",
                hint="Save a copy without a password and use that.",
            )
        case _:
            raise RequestError(
                "unreadable",
                "The file could not be read as a PDF: it is damaged, too large or none.",
                hint="Open it in a PDF viewer and save it anew, or use its text.",
            )


async def _ask_script(path: Path, seconds: float) -> Any:
    """Return the script's answer; None where it was killed or ended without one."""
    command = [sys.executable, "-I", str(_SCRIPT), str(path)]
    try:
        return await asyncio.get_running_loop().run_in_executor(_READERS, _answer, command, seconds)
    except (subprocess.TimeoutExpired, ValueError):
        return None


def _answer(command: Sequence[str], seconds: float) -> Any:
    ended = subprocess.run(  # noqa: S603 - our own script
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=seconds,
        check=False,
    )
    return json.loads(ended.stdout)

"""Read the text of a PDF file, as a program of its own: a file may be made so that reading takes hours or all memory.

`python pdf_script.py FILE` prints `{"pages": [text, …], "count": …}`, or `{"problem": …}` with one of `no-reader`,
`encrypted` and `broken`. It ends by itself where its memory or the text grows beyond the limits.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
from typing import Any

MOST_CHARACTERS = 1_000_000
MOST_PAGES = 5_000
_MOST_MEMORY = 2 << 30


def read(path: str) -> dict[str, Any]:
    try:
        import pypdf
    except ImportError:
        return {"problem": "no-reader"}
    logging.disable()
    pages: list[str] = []
    left = MOST_CHARACTERS
    try:
        reader = pypdf.PdfReader(path)
        # Many files are encrypted with an empty password, to forbid printing.
        if reader.is_encrypted and not reader.decrypt(""):
            return {"problem": "encrypted"}
        count = len(reader.pages)
        for number in range(min(count, MOST_PAGES)):
            pages.append(reader.pages[number].extract_text()[:left])
            left -= len(pages[-1])
            if left <= 0:
                break
    except Exception as error:
        # A damaged file can raise anything, anywhere in the reader.
        needs_cipher = type(error).__name__ == "DependencyError"
        return {"problem": "encrypted" if needs_cipher else "broken", "said": str(error)[:300]}
    return {"pages": pages, "count": count}


def _limit_memory() -> None:
    """Limit the address space of this process, where the system supports it."""
    if sys.platform == "win32":
        pass
    else:
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    _limit_memory()
    json.dump(read(sys.argv[1]), sys.stdout)

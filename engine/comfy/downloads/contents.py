"""Checks that the bytes of a model file are of the kind that its name says."""

from __future__ import annotations

import json
from pathlib import Path

from .file_names import is_pickle

FIRST_BYTES = 16
_MAX_HEADER = 100_000_000
_MAX_PARSED = 2_000_000
"""The largest header to parse, in bytes, since parsing holds the interpreter's lock; real ones have some 100 kB."""
_PICKLES = (b"PK\x03\x04", *(bytes((0x80, protocol)) for protocol in range(2, 6)))


def fault_of_beginning(name: str, first: bytes, size: int | None) -> str | None:
    """Return the fault in the first bytes of a file of `size` bytes, or None."""
    if is_pickle(name):
        return None
    ending = name.lower().rpartition(".")[2]
    if ending in ("safetensors", "sft"):
        length = int.from_bytes(first[:8], "little")
        fits = 2 <= length <= (_MAX_HEADER if size is None else min(_MAX_HEADER, size - 8))
        return None if len(first) > 8 and fits and first[8:9] == b"{" else _no("a safetensors file", first)
    if ending == "gguf":
        return None if first.startswith(b"GGUF") else _no("a GGUF file", first)
    return _no(f"an .{ending} file", first) if first.startswith(_PICKLES) else None


def fault_of_whole(name: str, path: Path) -> str | None:
    """Return the fault of a complete file, or None. Blocks."""
    size = path.stat().st_size
    with path.open("rb") as file:
        first = file.read(FIRST_BYTES)
        if fault := fault_of_beginning(name, first, size):
            return fault
        if not name.lower().endswith((".safetensors", ".sft")):
            return None
        length = int.from_bytes(first[:8], "little")
        if length > _MAX_PARSED:
            return None
        file.seek(8)
        return _fault_of_header(file.read(length), size - 8 - length)


def _fault_of_header(header: bytes, data_size: int) -> str | None:
    try:
        tensors = {name: entry for name, entry in json.loads(header).items() if name != "__metadata__"}
        ends = [int(entry["data_offsets"][1]) for entry in tensors.values()]
        begins = [int(entry["data_offsets"][0]) for entry in tensors.values()]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return "its header is not that of a safetensors file"
    if max(ends, default=0) != data_size or any(begin < 0 for begin in begins):
        return "its header tells of another size than it has"
    return None


def _no(what: str, first: bytes) -> str:
    return (
        f"it is not {what} but a pickle, which can run code"
        if first.startswith(_PICKLES)
        else f"it is not {what}"
    )

"""Pictures with the texts that ComfyUI writes into those that it saves."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from .made_runs import record


def prompt_of(text: str, *, seed: int = 7) -> object:
    return record(text, seed=seed)["prompt"][2]


def png(texts: Mapping[str, str], *, width: int = 832, height: int = 1216) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header)]
    chunks += [(b"tEXt", name.encode() + b"\0" + text.encode()) for name, text in texts.items()]
    chunks += [(b"IDAT", b"x" * 9), (b"IEND", b"")]
    body = b"".join(struct.pack(">I", len(data)) + kind + data + b"crc!" for kind, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + body


def webp(texts: Mapping[str, str], *, width: int = 832, height: int = 1216) -> bytes:
    """As Pillow writes it: an extended header, then the picture, then Exif with one ASCII field for each text."""
    fields = [f"{name}:{text}".encode() + b"\0" for name, text in texts.items()]
    place = 8 + 2 + 12 * len(fields) + 4
    entries, data = b"", b""
    for number, value in enumerate(fields):
        entries += struct.pack("<HHII", 0x010F + number, 2, len(value), place + len(data))
        data += value
    tiff = b"II*\0" + struct.pack("<IH", 8, len(fields)) + entries + struct.pack("<I", 0) + data
    head = struct.pack("<I", 8) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunks = [(b"VP8X", head), (b"VP8 ", b"odd"), (b"EXIF", b"Exif\0\0" + tiff)]
    body = b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks
    )
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body

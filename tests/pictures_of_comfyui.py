"""Images and videos with the metadata that ComfyUI saves in them."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from .run_history import record


def prompt_of(text: str, *, seed: int = 7) -> object:
    return record(text, seed=seed)["prompt"][2]


def png(texts: Mapping[str, str], *, width: int = 832, height: int = 1216) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header)]
    chunks += [(b"tEXt", name.encode() + b"\0" + text.encode()) for name, text in texts.items()]
    chunks += [(b"IDAT", b"x" * 9), (b"IEND", b"")]
    body = b"".join(struct.pack(">I", len(data)) + kind + data + b"crc!" for kind, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + body


def webp(texts: Mapping[str, str], *, width: int = 832, height: int = 1216, picture: bytes = b"odd") -> bytes:
    """Return a WebP as Pillow writes it: an extended header, the image, and Exif with one ASCII field for each text."""
    fields = [f"{name}:{text}".encode() + b"\0" for name, text in texts.items()]
    place = 8 + 2 + 12 * len(fields) + 4
    entries, data = b"", b""
    for number, value in enumerate(fields):
        entries += struct.pack("<HHII", 0x010F + number, 2, len(value), place + len(data))
        data += value
    tiff = b"II*\0" + struct.pack("<IH", 8, len(fields)) + entries + struct.pack("<I", 0) + data
    head = struct.pack("<I", 8) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunks = [(b"VP8X", head), (b"VP8 ", picture), (b"EXIF", b"Exif\0\0" + tiff)]
    body = b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks
    )
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def mp4(texts: Mapping[str, str]) -> bytes:
    """Return a video without content: one box has the names of the texts, another each text under its name's number."""
    names = b"".join(_box(b"mdta", name.encode()) for name in texts)
    keys = struct.pack(">II", 0, len(texts)) + names
    entries = (
        _box(struct.pack(">I", number), _box(b"data", struct.pack(">II", 1, 0) + text.encode()))
        for number, text in enumerate(texts.values(), 1)
    )
    about = struct.pack(">I", 0) + _box(b"keys", keys) + _box(b"ilst", b"".join(entries))
    return _box(b"ftyp", b"isom\0\0\2\0isom") + _box(b"moov", _box(b"udta", _box(b"meta", about)))


def _box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", 8 + len(content)) + kind + content

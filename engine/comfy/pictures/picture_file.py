"""Image files: their first bytes, and the texts that ComfyUI embeds in those that it saves."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_LONGEST_CHUNK = 2_000_000
_HEAD = 1 << 18
_PNG = b"\x89PNG\r\n\x1a\n"
_MOST_CHUNKS = 1_000
_ASCII = 2


def read_picture_file(path: Path) -> tuple[bytes, dict[str, str]]:
    """Return the first bytes of an image and the texts of a PNG or WebP by keyword, without damaged or compressed ones.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if head.startswith(_PNG):
            return head, dict(_png_texts(file))
        if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
            return head, dict(_webp_texts(file))
        return head, {}


def _png_texts(file: BinaryIO) -> Iterator[tuple[str, str]]:
    """Yield the `tEXt` and uncompressed `iTXt` chunks; ComfyUI writes ASCII into the former."""
    for kind, data in _chunks(file, start=len(_PNG), is_png=True):
        keyword, _, text = data.partition(b"\0")
        if kind == b"tEXt":
            yield keyword.decode("latin-1"), text.decode("utf-8", "replace")
        elif kind == b"iTXt" and text[:1] == b"\0":
            yield keyword.decode("latin-1"), text[2:].split(b"\0", 2)[-1].decode("utf-8", "replace")


def _webp_texts(file: BinaryIO) -> Iterator[tuple[str, str]]:
    """Yield the texts in the camera fields of the Exif data: ComfyUI writes `prompt:…` and `workflow:…` there."""
    for kind, data in _chunks(file, start=12, is_png=False):
        for text in _exif_texts(data.removeprefix(b"Exif\0\0")) if kind == b"EXIF" else ():
            if match := re.match(r"(\w+):(.*)\Z", text, re.DOTALL):
                yield match[1], match[2]


def _chunks(file: BinaryIO, *, start: int, is_png: bool) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and data of each chunk that may hold texts."""
    for _ in range(_MOST_CHUNKS):
        file.seek(start)
        if len(header := file.read(8)) < 8:
            return
        if is_png:
            length, kind = struct.unpack(">I4s", header)
            start += 8 + length + 4
        else:
            kind, length = struct.unpack("<4sI", header)
            start += 8 + length + length % 2
        if kind in (b"tEXt", b"iTXt", b"EXIF") and length <= _LONGEST_CHUNK:
            data = file.read(length)
            if len(data) == length:
                yield kind, data


def _exif_texts(data: bytes) -> Iterator[str]:
    """Yield all ASCII fields of the first directory of a TIFF block."""
    order = "<" if data[:2] == b"II" else ">"
    try:
        (directory,) = struct.unpack_from(f"{order}I", data, 4)
        (count,) = struct.unpack_from(f"{order}H", data, directory)
        for number in range(count):
            at = directory + 2 + 12 * number
            _, kind, length, place = struct.unpack_from(f"{order}HHII", data, at)
            start = at + 8 if length <= 4 else place
            if kind == _ASCII and start + length <= len(data):
                yield data[start : start + length].rstrip(b"\0").decode("utf-8", "replace")
    except struct.error:
        return

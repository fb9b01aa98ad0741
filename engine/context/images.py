"""The tokens of an image, by its size, which is read from the first bytes of its data URL."""

from __future__ import annotations

import base64
import binascii
from math import ceil

UNKNOWN_IMAGE_TOKENS = 1_500
_HEADER = 4_096
_LONGEST_HEADER = 1 << 18
"""A JPEG may have an embedded preview and a color profile before its size."""
_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def image_tokens(url: str) -> int:
    """Return the tokens of an image by OpenAI's rule: 85, and 170 for each tile of 512 pixels.

    The image is first scaled into 2,048 x 2,048, then to a shorter side of at most 768 pixels.
    https://platform.openai.com/docs/guides/images-vision
    """
    size = image_size(url)
    if size is None:
        return UNKNOWN_IMAGE_TOKENS
    width, height = size
    scale = min(1.0, 2_048 / max(width, height))
    scale = min(scale, 768 / min(width, height))
    tiles = max(1, ceil(width * scale / 512 - 1e-9)) * max(1, ceil(height * scale / 512 - 1e-9))
    return 85 + 170 * tiles


def image_size(url: str) -> tuple[int, int] | None:
    """Return width and height of a PNG, JPEG, WebP or GIF in a base64 data URL; None for anything else."""
    prefix, comma, _ = url[:256].partition(",")
    if not comma or not prefix.startswith("data:") or ";base64" not in prefix:
        return None
    begin = len(prefix) + 1
    size = size_in(_decode(url[begin : begin + _HEADER]))
    if size is None and len(url) > begin + _HEADER:
        size = size_in(_decode(url[begin : begin + _LONGEST_HEADER]))
    return size


def size_in(head: bytes) -> tuple[int, int] | None:
    """Return width and height from the first bytes of a file; None for another kind of file."""
    size = _size(head)
    return size if size is not None and min(size) > 0 else None


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text[: len(text) // 4 * 4])
    except (binascii.Error, ValueError):
        return b""


def _size(data: bytes) -> tuple[int, int] | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return _big(data, 16, 4), _big(data, 20, 4)
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return _little(data, 6, 2), _little(data, 8, 2)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data.startswith(b"\xff\xd8"):
        return _jpeg_size(data)
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
    if kind == b"VP8L":
        bits = _little(data, 21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Read the size from the start of the frame, going from segment to segment by their lengths."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
        elif marker in _SIZE_MARKERS:
            return _big(data, place + 7, 2), _big(data, place + 5, 2)
        else:
            place += 2 + max(2, _big(data, place + 2, 2))
    return None


def _big(data: bytes, place: int, length: int) -> int:
    return int.from_bytes(data[place : place + length], "big")


def _little(data: bytes, place: int, length: int) -> int:
    return int.from_bytes(data[place : place + length], "little")

"""Text of whole characters, from whatever a program has given.

JSON can name half of a character (`"\\ud83d"`, the first half of an emoji), and a file name that is not UTF-8 is read
as such halves. Python keeps them; no encoder, provider or database takes them.
"""

from __future__ import annotations

import codecs
import re

_HALF = re.compile("[\ud800-\udfff]")
_LONE_HALF = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
_SPELLED_HALF = re.compile("\ufffd(d[89a-f][0-9a-f]{2})")


def has_lone_surrogate(text: str) -> bool:
    """Whether `text` holds half of a character, which cannot be written as UTF-8."""
    return not text.isascii() and _HALF.search(text) is not None


def valid_unicode(text: str) -> str:
    """The text with two halves that follow each other joined, and a replacement character for each lone one."""
    if not has_lone_surrogate(text):
        return text
    return _LONE_HALF.sub("\ufffd", text).encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def spelled_name(name: str) -> str:
    """A file's name as whole text that leads back to the file: each half of a character by its code."""
    return _HALF.sub(lambda half: f"\ufffd{ord(half[0]):04x}", name)


def name_of_spelled(text: str) -> str:
    """The name that `spelled_name` has spelled."""
    return _SPELLED_HALF.sub(lambda half: chr(int(half[1], 16)), text)


def decode_text(data: bytes, *, is_whole: bool = True) -> str:
    """Text of UTF-8, or of the UTF-16 of some Windows programs; a character halved by a cut is left out."""
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return codecs.getincrementaldecoder(encoding)(errors="replace").decode(data, final=is_whole)


def with_unix_lines(text: str) -> str:
    """Whatever system's line ends it has."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class ValidUnicodeStream:
    """`valid_unicode` for a text that comes in pieces: a first half at the end waits for the next piece."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        text, self._half = self._half + piece, ""
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return valid_unicode(text)

    def finish(self) -> str:
        """What stands for a half that is still waiting."""
        rest, self._half = self._half, ""
        return valid_unicode(rest)

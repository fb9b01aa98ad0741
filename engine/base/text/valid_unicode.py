r"""Valid Unicode from whatever a program has given.

JSON can name half of a surrogate pair (`"\\ud83d"`, the first half of an emoji), and Python reads a file name that is
not UTF-8 as such halves. Python keeps them; no encoder, provider or database accepts them.
"""

from __future__ import annotations

import codecs
import re

_HALF = re.compile("[\ud800-\udfff]")
_LONE_HALF = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
_SPELLED_HALF = re.compile("\ufffd(d[89a-f][0-9a-f]{2})")


def has_lone_surrogate(text: str) -> bool:
    """Return whether `text` holds half of a surrogate pair, which cannot be encoded as UTF-8."""
    return not text.isascii() and _HALF.search(text) is not None


def valid_unicode(text: str) -> str:
    """Join two halves that follow each other, and replace each lone one by U+FFFD."""
    if not has_lone_surrogate(text):
        return text
    return _LONE_HALF.sub("\ufffd", text).encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def escape_name(name: str) -> str:
    """Escape a file name as valid text that `unescape_name` reverses: each lone surrogate becomes its code."""
    return _HALF.sub(lambda half: f"\ufffd{ord(half[0]):04x}", name)


def unescape_name(text: str) -> str:
    """Return the file name that `escape_name` escaped."""
    return _SPELLED_HALF.sub(lambda half: chr(int(half[1], 16)), text)


def decode_text(data: bytes, *, is_whole: bool = True) -> str:
    """Decode UTF-8, or the UTF-16 of some Windows programs; a character cut off at the end is left out."""
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return codecs.getincrementaldecoder(encoding)(errors="replace").decode(data, final=is_whole)


def normalize_newlines(text: str) -> str:
    """Return the text with Unix line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class ValidUnicodeStream:
    """The streaming form of `valid_unicode`: a first half at the end waits for the next piece."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        text, self._half = self._half + piece, ""
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return valid_unicode(text)

    def finish(self) -> str:
        """Return the replacement for a half that is still waiting, or ""."""
        rest, self._half = self._half, ""
        return valid_unicode(rest)

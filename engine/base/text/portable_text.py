r"""Text and JSON from anywhere, as every reader accepts and sees them.

JSON can name half of a surrogate pair (`"\\ud83d"`, the first half of an emoji), and Python reads a file name that is
not UTF-8 as such halves. Python keeps them; no encoder, provider or database accepts them. Python also reads and
writes NaN and Infinity as JSON, for which browsers and providers reject the whole document.

Instructions can be hidden in letters that a user does not see but a model reads. Their categories in the Unicode
Character Database: Cc except tabs and line ends, Cf except the two joiners that scripts and emoji need, Zl and Zp, tags
and variation selectors of U+E0000 to U+E0FFF, and letters that are blank.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from typing import Any, NoReturn

_HALF = re.compile("[\ud800-\udfff]")
_LONE_HALF = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
_SPELLED_HALF = re.compile("\ufffd(d[89a-f][0-9a-f]{2})")

_SHOWN = "\N{REPLACEMENT CHARACTER}"
_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_FORMATS = (
    r"\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    r"\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a"
)
_SEPARATORS = r"\u2028\u2029"
_BLANKS = r"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_SELECTORS = r"\ufe00-\ufe0d\U000e0000-\U000e0fff"
_UNSEEN = re.compile(f"[{_CONTROLS}{_FORMATS}{_SEPARATORS}{_BLANKS}{_SELECTORS}]")
_TAGS = re.compile("[\U000e0000-\U000e0fff]")

_DOUBTFUL = ("NaN", "Infinity", "\\ud", "\\uD")
"""Marks of unsafe JSON; a text that Python wrote without any has finite numbers and valid Unicode."""


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


def find_invisible(text: str) -> str:
    """Return the first invisible letter as `U+200B`; "" where there is none."""
    found = _UNSEEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def invisible_problem(text: str) -> str:
    """Return the complaint about a text for a model that has an invisible letter; "" where it has none."""
    letter = find_invisible(text)
    return f"It holds letters that nobody sees, such as {letter}; a model would read them." if letter else ""


def reveal_invisible(text: str) -> str:
    """Return the text with each invisible letter replaced by U+FFFD, as it may stand in a system message."""
    return _UNSEEN.sub(_SHOWN, text)


def reveal_tags(text: str) -> str:
    """Return the text with the tag letters from U+E0000 on replaced by U+FFFD; other letters stay as they are."""
    return text if text.isascii() else _TAGS.sub(_SHOWN, text)


def portable(value: Any) -> Any:
    """Return a JSON value with valid Unicode in its texts and names, and null for numbers that are not finite."""
    if isinstance(value, str):
        return valid_unicode(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {portable(name): portable(inner) for name, inner in value.items()}
    return [*map(portable, value)] if isinstance(value, (list, tuple)) else value


def portable_json(text: str) -> Any:
    """Return the `portable` value of a JSON text that Python wrote.

    Raises:
        ValueError, RecursionError: it is no JSON, or nested too deeply.
    """
    value = json.loads(text)
    return portable(value) if any(mark in text for mark in _DOUBTFUL) else value


def strict_json(text: str) -> Any:
    """Return the value of a JSON text whose numbers are all finite: neither NaN nor Infinity nor `1e999`.

    Raises:
        ValueError, RecursionError: it is no such JSON, or nested too deeply.
    """
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number

"""Letters that a user does not see but a model reads: instructions can be hidden in them.

The categories are those of the Unicode Character Database: Cc except tabs and line ends, Cf except the two joiners
that scripts and emoji need, Zl and Zp, tags and variation selectors of U+E0000 to U+E0FFF, and letters that are
blank.
"""

from __future__ import annotations

import re

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

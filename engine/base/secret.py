"""Keys that stay hidden in logs and texts."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from itertools import takewhile
from operator import eq

_ENCODED = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""Lower case of ASCII alone, since a key has ASCII alone and lower case changes the length of some other letters."""
_TELLING_SHARE = 0.6
_TELLING_LENGTH = 8


class Secret:
    """A key that does not show itself in logs, tracebacks or `repr`."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def last4(self) -> str:
        """Return the last four characters, or "" for a key so short that they would give it away."""
        return self._value[-4:] if len(self._value) >= 12 else ""

    def mask(self, text: str) -> str:
        """Return the text with the key masked, in any case, percent-encoded or cut short.

        A fragment that gives most of a key away contains the key's middle, whichever end was cut off, so the middle
        is searched for.
        """
        key = self._value.translate(_SMALL)
        least = max(min(len(key), _TELLING_LENGTH), int(_TELLING_SHARE * len(key)))
        before, middle, behind = key[: len(key) - least], key[len(key) - least : least], key[least:]
        letters, places = _plain(text)
        pieces: list[str] = []
        end = 0
        found = letters.find(middle) if key else -1
        while found >= 0:
            last = found + len(middle)
            first = found - _shared(letters[max(0, found - len(before)) : found][::-1], before[::-1])
            last += _shared(letters[last : last + len(behind)], behind)
            if last - first < least:
                found = letters.find(middle, found + 1)
                continue
            if places[first] > end or not pieces:
                pieces += [text[end : places[first]], "****"]
            end = places[last]
            found = letters.find(middle, last)
        return "".join([*pieces, text[end:]])

    def __repr__(self) -> str:
        return "Secret(****)" if self._value else "Secret()"

    __str__ = __repr__

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


def usable_key(text: str) -> Secret:
    """Return a key that can be sent in a header.

    Raises:
        ValueError: the text has a character that no key has, such as a curly quote that was copied along.
    """
    for place, character in enumerate(text, 1):
        if not " " <= character <= "~":
            raise ValueError(
                f"letters, digits and signs of ASCII alone, but character {place} is U+{ord(character):04X}"
            )
    return Secret(text)


def _plain(text: str) -> tuple[str, Sequence[int]]:
    """Return the text in lower case and percent-decoded, with the position of each letter and of the end in `text`."""
    if "%" not in text:
        return text.translate(_SMALL), range(len(text) + 1)
    pieces: list[str] = []
    places: list[int] = []
    end = 0
    for encoded in _ENCODED.finditer(text):
        start, stop = encoded.span()
        pieces += [text[end:start], bytes.fromhex(encoded[0].replace("%", "")).decode("latin-1")]
        places += [*range(end, start), *range(start, stop, len("%41"))]
        end = stop
    return "".join([*pieces, text[end:]]).translate(_SMALL), [*places, *range(end, len(text) + 1)]


def _shared(one: str, other: str) -> int:
    return sum(takewhile(bool, map(eq, one, other)))

"""Keys, which do not show themselves."""

from __future__ import annotations

import re

_SPELLED = re.compile(r"%[0-9a-fA-F]{2}|[\s\S]")
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_TELLING_SHARE = 0.6
_TELLING_LENGTH = 8


class Secret:
    """A key that does not show itself in logs, tracebacks or `repr`."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def last4(self) -> str:
        """The last four characters of a key that is long enough not to be given away by them."""
        return self._value[-4:] if len(self._value) >= 12 else ""

    def masked_in(self, text: str) -> str:
        """The text without the key, and without any part of it that tells most of it.

        Servers quote keys in other letters, percent-encoded, cut short, or with characters that are not seen.
        """
        key = self._value.lower()
        size = max(min(len(key), _TELLING_LENGTH), int(_TELLING_SHARE * len(key)))
        spelled = [match for match in _SPELLED.finditer(text) if not _UNSEEN.match(match[0])]
        letters = "".join(_letter(match[0]) for match in spelled)
        spans: list[tuple[int, int]] = []
        for start in range(len(key) - size + 1 if key else 0):
            place = letters.find(key[start : start + size])
            while place >= 0:
                spans.append((spelled[place].start(), spelled[place + size - 1].end()))
                place = letters.find(key[start : start + size], place + 1)
        return _without(text, spans)

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
    """A key that can be sent in a header.

    Raises:
        ValueError: it has a character that no key has, such as a curly quote that was copied along.
    """
    for place, character in enumerate(text, 1):
        if not " " <= character <= "~":
            raise ValueError(
                f"letters, digits and signs of ASCII alone, but character {place} is U+{ord(character):04X}"
            )
    return Secret(text)


def _letter(spelled: str) -> str:
    """One small letter, whatever it came as."""
    letter = chr(int(spelled[1:], 16)) if len(spelled) == 3 else spelled
    small = letter.lower()
    return small if len(small) == 1 else letter


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    end = 0
    for first, last in sorted(spans):
        if first > end or not pieces:
            pieces += [text[end:first], "****"]
        end = max(end, last)
    return "".join([*pieces, text[end:]])

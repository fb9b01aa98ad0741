"""Keys, which do not show themselves."""

from __future__ import annotations

import base64
import re

_ESCAPED = r"%(?P<byte>[0-9a-fA-F]{2})|\\u(?P<code>[0-9a-fA-F]{4})"
_READINGS = (re.compile(rf"{_ESCAPED}|[\s\S]"), re.compile(rf"{_ESCAPED}|<[^<>]{{1,40}}>|[\s\S]"))
"""What stands in angle brackets may be a tag between two letters of a key, or the key itself."""
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_LONG = 16
"""Letters from which on the signs of a key do not count: `lm-studio` is also a name."""
_TELLING_SHARE = 0.6
_TELLING_LENGTH = 8
_TELLING_END = 10
"""Of a long key its last letters tell it apart, as many as these; four of them are shown on purpose."""
_OF_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*")


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

        Servers quote keys in other letters, percent-encoded, cut short, reversed, packed, also behind a user's name,
        or with something between their letters: of long keys only those count, and digits.
        """
        is_long = len(self._value) >= _LONG
        key = "".join(small for letter in self._value if (small := _small(letter, is_long=is_long)))
        size = max(min(len(key), _TELLING_LENGTH), int(_TELLING_SHARE * len(key)))
        ways = (key, key[::-1]) if len(key) >= _TELLING_LENGTH else (key,)
        parts = {way[start : start + size] for way in ways for start in range(len(key) - size + 1)}
        if is_long:
            parts.add(key[-_TELLING_END:])
        spans = _packed(self._value, text)
        for reading in _READINGS:
            read = [
                (match, small)
                for match in reading.finditer(text)
                if (small := _letter(match, is_long=is_long))
            ]
            letters = "".join(small for _, small in read)
            for part in sorted(parts if key else ()):
                place = letters.find(part)
                while place >= 0:
                    spans.append((read[place][0].start(), read[place + len(part) - 1][0].end()))
                    place = letters.find(part, place + 1)
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


def _letter(spelled: re.Match[str], *, is_long: bool) -> str:
    """One small letter, whatever it came as; "" for what does not count."""
    code = spelled["byte"] or spelled["code"]
    letter = chr(int(code, 16)) if code else spelled[0]
    return _small(letter, is_long=is_long) if len(letter) == 1 else ""


def _small(letter: str, *, is_long: bool) -> str:
    if _UNSEEN.match(letter) or (is_long and not letter.isalnum()):
        return ""
    small = letter.lower()
    return small if len(small) == 1 else letter


def _packed(key: str, text: str) -> list[tuple[int, int]]:
    """Where it stands as Base64, of both alphabets, with all that is packed with it."""
    spans: list[tuple[int, int]] = []
    for form in _forms(key):
        place = text.find(form)
        while place >= 0:
            before = _OF_BASE64.match(text[:place][::-1])
            behind = _OF_BASE64.match(text, place)
            first = place - (before.end() if before else 0)
            last = behind.end() if behind else place + len(form)
            spans.append((first, last + len(text[last:]) - len(text[last:].lstrip("="))))
            place = text.find(form, last)
    return spans


def _forms(key: str) -> set[str]:
    """Three letters make four: what stands before the key decides where among these it begins."""
    if len(key) < _TELLING_LENGTH:
        return set()
    data = key.encode()
    return {
        pack(bytes(before) + data).decode()[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        for pack in (base64.b64encode, base64.urlsafe_b64encode)
        for before in range(3)
    }


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    end = 0
    for first, last in sorted(spans):
        if first > end or not pieces:
            pieces += [text[end:first], "****"]
        end = max(end, last)
    return "".join([*pieces, text[end:]])

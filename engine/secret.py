"""Keys, which do not show themselves."""

from __future__ import annotations


class Secret:
    """A key that does not show itself in logs, tracebacks or `repr`."""

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def last4(self) -> str:
        """The last four characters of a key that is long enough not to be given away by them."""
        return self._value[-4:] if len(self._value) >= 12 else ""

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

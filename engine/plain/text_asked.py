"""The new text alone: small models copy the old one around what the person wants instead."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_IN_ADDITION = re.compile(
    r"\b(?:add|append|also|too|more|extend|plus|keep|besides|hinzu\w*|ergänze?|zusätzlich|ajoute\w*|aussi|añad\w*|también)\b"
    r"|加|追加",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_FEWEST_COPIED = 3
_MOSTLY = 0.8


def text_asked(request: str, new: str, old: str) -> str:
    """`new`, or the words of the request that it holds where the rest of it is copied from `old`."""
    if not request or _IN_ADDITION.search(request):
        return new
    said, wanted = [*_WORD.finditer(request)], [word.lower() for word in _WORD.findall(new)]
    match = SequenceMatcher(
        None, wanted, [word[0].lower() for word in said], autojunk=False
    ).find_longest_match()
    rest = wanted[: match.a] + wanted[match.a + match.size :]
    known = set(_WORD.findall(old.lower()))
    is_copied = len(rest) >= _FEWEST_COPIED and sum(word in known for word in rest) >= _MOSTLY * len(rest)
    if match.size < 2 or not is_copied:
        return new
    return request[said[match.b].start() : said[match.b + match.size - 1].end()]

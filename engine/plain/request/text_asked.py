"""The new text alone: small models copy the old one around what the person wants instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import Match, SequenceMatcher

_IN_ADDITION = re.compile(
    r"\b(?:add|append|also|too|more|extend|plus|keep|besides|hinzu\w*|ergänze?|zusätzlich|ajoute\w*|aussi|añad\w*|también)\b"
    r"|加|追加",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_OF_A_TEXT = re.compile(r"prompt|text|提示", re.IGNORECASE)
_GIVEN = re.compile(r"[:：]\s*[\"“„«']?(.+?)[\"”“»']?\s*$")
_AROUND = " ,.;\n"
_FEWEST_COPIED = 3
_MOSTLY = 0.8
_LEFT_AWAY = 1


def text_asked(request: str, new: str, old: str) -> str:
    """`new`, or the words of the request that it holds where the rest of it is copied from `old`."""
    if not request or _IN_ADDITION.search(request):
        return new
    if (alone := _without_old(request, new, old)) is not None:
        return alone
    said, wanted = [*_WORD.finditer(request)], [word.lower() for word in _WORD.findall(new)]
    first, last = _longest_run(wanted, [word[0].lower() for word in said])
    if first is None or last is None:
        return new
    rest = wanted[: first.a] + wanted[last.a + last.size :]
    known = set(_WORD.findall(old.lower()))
    is_copied = len(rest) >= _FEWEST_COPIED and sum(word in known for word in rest) >= _MOSTLY * len(rest)
    words = last.a + last.size - first.a
    if words < 2 or not is_copied:
        return new
    return request[said[first.b].start() : said[last.b + last.size - 1].end()]


def _without_old(request: str, new: str, old: str) -> str | None:
    """Where the whole old text stands in the new prompt: what the person wrote behind a colon, or else the rest."""
    copied = old.strip(_AROUND)
    if len(_WORD.findall(copied)) < _FEWEST_COPIED or copied not in new or not _OF_A_TEXT.search(request):
        return None
    given = _GIVEN.search(request)
    rest = given[1].strip() if given else new.replace(copied, "").strip(_AROUND)
    return rest if len(_WORD.findall(rest)) > 1 else None


def _longest_run(wanted: Sequence[str], said: Sequence[str]) -> tuple[Match | None, Match | None]:
    """The first and the last block of what both have in one run, in which the model may leave a word away."""
    runs: list[list[Match]] = []
    for block in SequenceMatcher(None, wanted, said, autojunk=False).get_matching_blocks():
        if block.size == 0:
            continue
        before = runs[-1][-1] if runs else None
        is_next = before is not None and block.a == before.a + before.size
        if before is not None and is_next and block.b - before.b - before.size <= _LEFT_AWAY:
            runs[-1].append(block)
        else:
            runs.append([block])
    longest = max(runs, key=lambda run: sum(block.size for block in run), default=None)
    return (longest[0], longest[-1]) if longest else (None, None)

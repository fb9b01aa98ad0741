"""Names of values with a slip of the fingers: "stpes 25", "cgf 5", "heigth 768"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .quoted import QUOTED_OR_EMPTY

_WORD = re.compile(r"[^\W\d_]{3,}")
_WORDS_OF_ALL = frozenset(
    [
        *("prompt", "negative", "positive", "width", "height", "steps", "seed", "sampler", "scheduler"),
        *("denoise", "strength", "frames", "guidance", "resolution", "batch", "cfg"),
    ]
)
_LONG = 5
"""Letters from which on one may be missing or too many: shorter words are words of their own too often."""
_NO_SLIPS = frozenset(
    [
        *("stop", "stops", "steep", "step", "stephs", "frame", "negatives", "strengthen"),
        *("sampled", "samples", "sample"),
    ]
)


def with_names_spelled(request: str, names: Iterable[str]) -> str:
    """The request with such words as they are meant; `names` are those of the values that there are.

    Two neighbouring letters may have changed places, and in longer words one may be missing, doubled or too many. What
    stands in quotes, and behind a colon, is what the person wants to have written.
    """
    known = _WORDS_OF_ALL.union(word for name in names for word in _WORD.findall(name.lower()))
    head, colon, text = request.partition(":")
    quoted = [match.span() for match in QUOTED_OR_EMPTY.finditer(head)]

    def meant(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in known or word in _NO_SLIPS or any(a <= match.start() < b for a, b in quoted):
            return match[0]
        near = [name for name in known if _is_slip(word, name)]
        return near[0] if len(near) == 1 else match[0]

    return f"{_WORD.sub(meant, head)}{colon}{text}"


def _is_slip(word: str, name: str) -> bool:
    if word[0] != name[0] or word == name:
        return False
    if len(word) == len(name):
        different = [place for place in range(len(word)) if word[place] != name[place]]
        return (
            len(different) == 2
            and different[1] == different[0] + 1
            and word[different[0]] == name[different[1]]
            and word[different[1]] == name[different[0]]
        )
    shorter, longer = sorted((word, name), key=len)
    # A plural is a word of its own.
    if len(longer) != len(shorter) + 1 or len(shorter) < _LONG or longer == f"{shorter}s":
        return False
    return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))

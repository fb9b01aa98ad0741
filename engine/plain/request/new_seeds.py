"""A seed that a person wants to be another one without saying which: "different seed", "randomise the seed"."""

from __future__ import annotations

import re

_OTHER = (
    r"new|different|another|random|randomi[sz]ed?|other|fresh|neue\w*|andere\w*|zufällig\w*|nouve\w+|autre|différent\w*|"
    r"nuev[ao]|otr[ao]|distint[ao]"
)
ANOTHER_SEED = re.compile(
    rf"\b(?:{_OTHER})\s+(?:(?:random|zufällige\w*)\s+)?(?:noise )?(?:seed|graine|semilla)s?\b|"
    r"\b(?:randomi[sz]e|re-?roll|shuffle|change|ändere|wechsle|change[rz]?|cambia)\s+(?:the |my |den |la |le |el )?"
    r"(?:seed|graine|semilla)s?\b(?!\s*(?:to|auf|zu|à|a|en|=|:)\b)|"
    r"\b(?:seed|graine|semilla)s?\s*(?:to |= ?|: ?|should be |soll )?(?:random|aléatoire|aleatoria|zufällig)\b",
    re.IGNORECASE,
)
_FACTOR, _STEP, _MOST = 6_364_136_223_846_793_005, 1_442_695_040_888_963_407, 2**50
_NOT_ONCE = re.compile(
    r"\d|\b(?:fix|keep|same|not|lock|every|each|always|automatically|behalt\w*|garde\w*|jede\w*|immer|chaque|cada)\b",
    re.IGNORECASE,
)


def wants_another_seed(clause: str) -> bool:
    return bool(ANOTHER_SEED.search(clause)) and not _NOT_ONCE.search(clause)


def another_seed(seed: int) -> int:
    """The same for the same seed, since a request is read more than once."""
    return (seed * _FACTOR + _STEP) % _MOST

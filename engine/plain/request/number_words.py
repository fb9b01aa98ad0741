"""Numbers and places in a row, as people write them in words."""

from __future__ import annotations

import re

_TO_TWENTY = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
NUMBER_WORDS = {
    **{word: str(number) for number, word in enumerate(_TO_TWENTY.split(), start=2)},
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
}
SMALL_NUMBERS = {
    **dict.fromkeys(["zwei", "deux", "dos"], "2"),
    **dict.fromkeys(["drei", "trois", "tres"], "3"),
    **dict.fromkeys(["vier", "quatre", "cuatro"], "4"),
    **dict.fromkeys(["fünf", "cinq", "cinco"], "5"),
}
"""In other languages, where a number has to stand: "les deux" is no number."""
NUMBER_WORD = "|".join(NUMBER_WORDS)
"""Any of them, in a pattern."""
ORDINALS = {
    word: place
    for place, words in {
        0: "first 1st erste ersten erster erstes premier première primer primero primera",
        1: "second 2nd zweite zweiten zweiter zweites deuxième segundo segunda",
        2: "third 3rd dritte dritten dritter drittes troisième tercer tercero tercera",
        3: "fourth 4th vierte vierten vierter viertes quatrième cuarto cuarta",
        -1: "last letzte letzten letzter letztes dernier dernière último última",
    }.items()
    for word in words.split()
}
"""The place in a row, from 0; -1 is the last."""
_OF_TIME = re.compile(r"\b(?:per|a|one|\d+)[- ]second\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def ordinals_in(text: str) -> list[int]:
    """The places that it names."""
    words = _WORD.findall(_OF_TIME.sub(" ", text).lower())
    return [ORDINALS[word] for word in words if word in ORDINALS]

"""Numbers that a request names together with the value that they are for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..meant import named_by, plain
from ..names import Value
from ..workflow import FILE_ENDING
from .comparatives import COMPARING
from .differences import is_difference
from .number_words import NUMBER_WORD, NUMBER_WORDS, ordinals_in
from .quoted import QUOTED

Said = list[tuple[Value, str]]
"""Values with what they are to be."""

SIZE = re.compile(r"\b(\d{2,5})\s*(?:x|×|\*|by|mal|par|por)\s*(\d{2,5})\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])-?(?:\d+(?:[.,]\d+)?|\.\d+)(?![\w%]|[.,]\d)")
FORMER = re.compile(
    r"\b\d{2,5}\s*[x×*]\s*\d{2,5}\s*(?:-+>|→|=>|to|into|auf|zu|en|à|a)\s*(?=\d{2,5}\s*[x×*])|"
    r"(?:\b(?:from|von|de)\s+)?-?\d+(?:[.,]\d+)?\s*(?:-+>|→|=>)\s*(?=[\d.])|"
    r"\bfrom\s+-?\d+(?:[.,]\d+)?\s+to\s+(?=[\d.])|\bvon\s+-?\d+(?:[.,]\d+)?\s+auf\s+(?=[\d.])",
    re.IGNORECASE,
)
"""What is there now, before what is wanted: "from 7 to 9"."""
SQUARE = re.compile(r"\b(?:square|quadrat\w*|carrée?s?|cuadrad[ao]s?)\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+(?![\w,]|\.\d)")
_THOUSANDS_BY_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_FEWEST_PIXELS = 64
NODE = re.compile(r"\bnode\s*#?\s*(\d+(?::\d+)*)", re.IGNORECASE)
CLAUSES = re.compile(r"[;,]\s+(?!(?:like|say|maybe|so)\b)|\s(?:and|und|et|y|&)\s", re.IGNORECASE)
_KEPT = re.compile(
    r"(?:^|[,;]\s*|\b(?:and|but|und|aber|et|y)\s+)"
    r"(?:(?:the )?same|keep(?: the)?(?: same)?|gleiche\w*|(?:la )?même|(?:la )?misma)\s+\w+\b",
    re.IGNORECASE,
)
"""What is to stay: the height of "width 640, same height"."""
_PERCENT = re.compile(r"(?<![\w.,])(\d{1,3})\s*%")
_OF_ONE = re.compile(r"\b(?:denois\w*|strengths?)\b", re.IGNORECASE)
_AIMED = re.compile(r"\b(?:like|say|maybe|to|auf)\s+(?=\d)(?!.*\bby\s+\d)", re.IGNORECASE)
"""Before a number that is what is wanted, whatever it is compared with."""
_ALL = re.compile(
    r"\b(?:both|all|each|every\w*|beide\w*|alle\w*|jede\w*|überall|partout|tous|toutes|les deux|tod[oa]s|amb[oa]s)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:add|remove|subtract|take\b.*\b(?:off|away)|plus(?=\s+\w+\s)|minus(?=\s+\w+\s)|more|less|fewer|extra|additional|times|half|double|twice|triple|between|if|unless|"
    r"(?:increase|decrease|raise|lower|reduce|bump)\w*\b.* by|"
    rf"(?:different|random|other|several|\d+|{NUMBER_WORD}|verschiedene\w*) seeds)\b|"
    r"\b(?:every|each|alle|jede[nrs]?|cada|toutes? les)\s+\d|"
    rf"\b(?:twenty|thirty|forty|fifty|sixty)[- ](?:one|{NUMBER_WORD})\b|"
    r"\b(?:hundred|thousand)\b|%|(?<!\w)\+\s*\d|[x×*]\s?\d\b",
    re.IGNORECASE,
)
"""Of numbers: what is there now counts, or what is not said."""
HOW_MANY = re.compile(
    r"^\W*(?:(?:now|then|so)\W+)*"
    r"(?:(?:i|we)(?: would|['’]d)? (?:want|need|like)|give|make|do|get|ich (?:will|möchte|brauche)|"
    r"(?P<makes>show|create|generate|render|produce|mach\w*|erzeug\w*|generier\w*|erstell\w*))(?: me| us| mir)?\s+"
    rf"(?P<number>\d{{1,3}}|{NUMBER_WORD})\s+"
    r"(?:(?:different|such|more|other|verschiedene)\s+)?"
    r"(?:images?|pictures?|pics?|photos?|variations?|variants?|versions?|of (?:them|these|those|it)|bilder|varianten)"
    r"(?:\W*(?:at once|at a time|per run|now|this time|of (?:it|this|that)|auf einmal)\b)*"
    r"(?=\W*(?:$|[,;]|\b(?:with|and|at|mit|und)\s+(?!different|other|random|new|verschieden|ander)))",
    re.IGNORECASE,
)
"""A number of pictures that are wanted: "make four of them"; `makes` where they are to be made at once."""
_CALLED: dict[str, str] = {
    "steps": r"(?<!at )(?<!from )(?<!until )(?<!after )(?:steps|(?<!st )(?<!nd )(?<!rd )(?<!th )step|iterations|"
    r"étapes|schritten?|pasos)",
    "cfg": r"cfg(?: scale)?|guidance(?: scale)?",
    "denoise": r"denois(?:e|ing)(?: strength)?|entrausch\w*|débruitage",
    "width": r"wide|breit|breite|largeur|ancho",
    "height": r"high|tall|hoch|höhe|hauteur|alto",
    "batch_size": r"batch|(?:images|pictures|variants|variations|videos|bilder|imágenes) (?:at once|per run|at a time|"
    r"in one go|at the same time|each run|each time|auf einmal|gleichzeitig|pro lauf|à la fois|a la vez)",
    "length": r"frames(?: long)?",
    "megapixels": r"megapixels?|mpx?",
    "fps": r"frame rate|frames per second",
    "frame_rate": r"fps|frames per second",
    "seed": r"noise seed|graine|semilla|zufallszahl",
    "noise_seed": r"seed|graine|semilla|zufallszahl",
}
"""What people call a number, beside its own name; by its widget."""

_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_TELLING = 5
"""Letters by which a longer name of a file is known."""


def numbers_said(values: Sequence[Value], request: str) -> Said:
    numeric = [value for value in values if value.is_number]
    of_node = NODE.findall(request)
    if of_node:
        numeric = [value for value in numeric if value.node.id in of_node]
    request = HOW_MANY.sub(r"batch \g<number>, ", request)
    text = in_parts_of_one(FORMER.sub("", QUOTED.sub(" ", NODE.sub(" ", _KEPT.sub("", request)))))
    sizes = SIZE.findall(text)
    text = SIZE.sub(" ", text)
    # "More steps and cfg 5" doubts nothing of the cfg.
    text = ", ".join(each for each in CLAUSES.split(text) if not _is_compared(each))
    if (_DOUBT.search(text) and not _AIMED.search(text)) or len(sizes) > 1:
        return []
    found: Said = []
    for base, number in zip(("width", "height"), sizes[0] if sizes else (), strict=False):
        found += _of_base(numeric, base, request, number, clause=text)
    clauses = [
        (mentions_in(numeric, part), numbers_in(part), part)
        for clause in CLAUSES.split(text)
        for part in _parts_of(numeric, clause)
    ]
    bases = [base for said, *_ in clauses for base in said]
    numbers = [number for _, several, _ in clauses for number in several]
    is_square = not bases and SQUARE.search(text) is not None
    if len(numbers) == 1 and (is_square or sorted(bases) == ["height", "width"]):
        return [
            *_of_base(numeric, "width", request, numbers[0], clause=text),
            *_of_base(numeric, "height", request, numbers[0], clause=text),
        ]
    if any(len(said) != 1 or len(several) != 1 for said, several, _ in clauses if several):
        return found
    for said, several, clause in clauses:
        if several:
            found += _of_base(numeric, said[0], request, several[0], clause=clause)
    return found


def _is_compared(clause: str) -> bool:
    return is_difference(clause) or (COMPARING.search(clause) is not None and not numbers_in(clause))


def with_plain_thousands(text: str) -> str:
    """1,024 as 1024."""
    return _THOUSANDS.sub(lambda number: number[0].replace(",", ""), text)


def in_parts_of_one(text: str) -> str:
    """50 % of a denoise or a strength is 0.5, where it is the only number and no change of what is there."""
    found = _PERCENT.findall(text)
    if (
        len(found) != 1
        or len(re.findall(r"\d+", text)) != 1
        or not _OF_ONE.search(text)
        or COMPARING.search(text)
    ):
        return text
    return _PERCENT.sub(f"{int(found[0]) / 100:g}", text)


def mentions_in(values: Sequence[Value], clause: str) -> list[str]:
    """The widgets that a clause names; of "frames per second" and "frames" only the longer."""
    spans: dict[tuple[int, int], str] = {}
    for value in values:
        for match in names_pattern(value).finditer(clause.replace("_", " ")):
            spans.setdefault(match.span(), value.widget)
    longest = [
        widget
        for (start, end), widget in spans.items()
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in spans)
    ]
    return list(dict.fromkeys(longest))


def _parts_of(values: Sequence[Value], clause: str) -> list[str]:
    """Of "cfg 4 steps 15" both, where names and numbers take turns; else the clause itself."""
    spaced = clause.replace("_", " ")
    names = {match.start() for value in values for match in names_pattern(value).finditer(spaced)}
    numbers = {match.start() for match in _NUMBER.finditer(clause)}
    order = [(place, place in names) for place in sorted(names | numbers)]
    takes_turns = all(one[1] != other[1] for one, other in pairwise(order))
    if len(names) != len(numbers) or len(numbers) < 2 or not takes_turns:
        return [clause]
    starts = [place for place, _ in order[::2]]
    return [clause[start:end] for start, end in pairwise([0, *starts[1:], len(clause)])]


def names_pattern(value: Value) -> re.Pattern[str]:
    names = {re.escape(name) for said in (value.base, value.widget) for name in _orders_of(plain(said))}
    called = "|".join([_CALLED.get(value.widget, r"(?!)"), *sorted(names, key=len, reverse=True)])
    return re.compile(rf"\b(?:{called})s?\b", re.IGNORECASE)


def _orders_of(name: str) -> tuple[str, ...]:
    """Of two words also the other way round: "strength model" is "model strength" to a person."""
    words = name.split()
    return (name, f"{words[1]} {words[0]}") if len(words) == 2 else (name,)


def numbers_in(clause: str) -> list[str]:
    words = [NUMBER_WORDS[word] for word in plain(clause).split() if word in NUMBER_WORDS]
    return [*map(as_number, _NUMBER.findall(clause)), *words]


def as_number(written: str) -> str:
    """With a point, and a digit before it."""
    number = written.replace(",", ".")
    return f"0{number}" if number.startswith(".") else number


def _of_base(values: Sequence[Value], widget: str, request: str, new: str, *, clause: str) -> Said:
    """`clause` is the part of the request that names the value."""
    meant = one_or_equal([value for value in values if value.widget == widget], request, new, clause=clause)
    return (
        []
        if any(_is_of_another(value, values, request) for value in meant)
        else [(one, _pixels(one.value, new)) for one in meant]
    )


def _pixels(now: float, new: str) -> str:
    """A thousand is written 1.024 by many, and no size is that small."""
    is_size = isinstance(now, int) and now >= _FEWEST_PIXELS
    return new.replace(".", "") if is_size and _THOUSANDS_BY_POINTS.fullmatch(new) else new


def _is_of_another(value: Value, values: Sequence[Value], request: str) -> bool:
    """Whether the request names a node of the same type by a word that the value's own node has not."""
    own, said = set(plain(value.node.label).split()), set(plain(request).split())
    others = {
        other.node.label
        for other in values
        if other.node.type == value.node.type and other.node is not value.node
    }
    return any((set(plain(label).split()) - own) & said for label in others)


def one_or_equal(
    values: Sequence[Value], request: str, new: str, *, clause: str | None = None
) -> Sequence[Value]:
    """The one that the request tells from the others by words of its own, or all where they are equal now; none where
    its `clause` about them means a second one and there is no such.
    """
    if any(place >= len(values) for place in ordinals_in(request if clause is None else clause)):
        return []
    if len(values) < 2:
        return values
    named = named_by(request, [value.name for value in values], value=new)
    if named is not None:
        return [value for value in values if value.name == named]
    if by_file := _by_file(values, request, new):
        return by_file
    is_one = len({str(value.value) for value in values}) == 1
    return values if is_one or _ALL.search(request) else []


def _by_file(values: Sequence[Value], request: str, new: str) -> list[Value]:
    """The one whose node has a file that the request names by a word of its own."""
    of_name = {word for value in values for word in plain(value.name).split()}
    said = {*_LONG_WORD.findall(request.lower())} - {*_LONG_WORD.findall(new.lower())} - of_name
    words = [words_of_files(value) for value in values]
    shared = set[str]().union(*words).intersection(*words)
    found = [
        value
        for value, own in zip(values, words, strict=True)
        if (own - shared) & said
        or any(word.startswith(each) for word in own - shared for each in said if len(each) >= _TELLING)
    ]
    return found if len({value.node.id for value in found}) == 1 else []


def words_of_files(value: Value) -> set[str]:
    return {
        word for file in value.node.files for word in _LONG_WORD.findall(FILE_ENDING.sub("", file).lower())
    }

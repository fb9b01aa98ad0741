"""Which values a question is after, where each word of it is read: "how many steps?"."""

from __future__ import annotations

import re

from ..meant import plain
from ..names import Value, values_by_name
from ..workflow import Workflow
from .near_spellings import with_names_spelled
from .nodes_named import nodes_named
from .numbers_said import names_pattern

_HOW_MANY = re.compile(
    r"\b(?:how (?:many|high|large|big|wide|tall|long|strong)|"
    r"wie(?: viele?| ?hoch| groß| breit| lang)|combien|cuánt[oa]s?)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\b(?:which|welche[nrsm]?|quel(?:le)?s?|cuál(?:es)?|qué)\b", re.IGNORECASE)
_WHAT = re.compile(
    r"\b(?:what(?:['’]?s| is| are)? (?:(?:the|my) (?:current )?|(?=(?:size|resolution)\b))|"
    r"(?:was|wie) ist (?:der|die|das) )",
    re.IGNORECASE,
)
"""With an article: "what is cfg" asks for something else."""
_SIZE = re.compile(
    r"(?<!batch )(?<!file )\b(?:resolution|size|dimensions|auflösung|größe|bildgröße|résolution|taille|"
    r"resolución|tamaño)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(r"\bhow strong\b|\bwie stark\b", re.IGNORECASE)
_MODEL = re.compile(
    r"\b(?:what|which|welches) (?:models?|checkpoints?|modelle?)\b"
    r"(?=\W+(?:is|are|does|do|wird|werden|ist)\b)",
    re.IGNORECASE,
)
_MODELS = ("ckpt_name", "unet_name")
_AROUND = frozenset(
    (  # noqa: SIM905 - words are read as words
        "and or is are the a an of my this it does do we i have has use uses used using loaded load set to at now "
        "right currently current value there here in get gets take takes have so image picture video clip will be "
        "output what "
        "und der die das den dem ist sind hat bild bildes wird werden benutzt verwendet "
        "eingestellt gerade aktuell nutzt es hier "
        "et le la les l de d du des est sont a t il y utilisé utilisés utilise on ici nombre "
        "y el los las se usa usan hay tiene es son hace en número"
    ).split()
)
_LONGEST = 120


def values_asked(workflow: Workflow, request: str) -> list[Value]:
    """The values; none where a word says anything else, or asks for the number of things that are no numbers."""
    if len(request) > _LONGEST or not (
        asked := _HOW_MANY.search(request)
        or _WHICH.search(request)
        or _WHAT.search(request)
        or _MODEL.search(request)
    ):
        return []
    is_number_asked = _HOW_MANY.match(asked[0]) is not None
    values = values_by_name(workflow)
    models = [value for value in values if value.widget in _MODELS]
    request = _STRONG.sub("how high strength", request)
    if models:
        request = _MODEL.sub(f"which {models[0].base}", request)
    said = with_names_spelled(
        _SIZE.sub("width and height", request),
        [name for value in values for name in (value.base, value.widget)],
    )
    rest = said.replace("_", " ")
    bases = set[str]()
    # A choice is none of them: "how many steps does the sampler take?" names the node.
    askable = [value for value in values if value.is_number or not is_number_asked]
    for value, pattern in sorted(((value, _pattern(value)) for value in askable), key=_length):
        if pattern.search(rest) or value.base in bases:
            bases.add(value.base)
            rest = pattern.sub(" ", rest)
    found = [value for value in values if value.base in bases]
    for pattern in (_HOW_MANY, _WHICH, _WHAT):
        rest = pattern.sub(" ", rest)
    if is_number_asked and not all(value.is_number for value in found):
        return []
    words = [word for word in plain(rest.replace("'", " ").replace("’", " ")).split() if word not in _AROUND]
    # "How many steps does the second sampler take?" asks for those of one node.
    nodes = nodes_named(workflow, " ".join(words)) if words else []
    if words and not (len(nodes) == 1 and {nodes[0].id} <= {value.node.id for value in found}):
        return []
    return [value for value in found if not nodes or value.node.id == nodes[0].id]


def _pattern(value: Value) -> re.Pattern[str]:
    """Of a choice just its name: "samplers" are several."""
    return (
        names_pattern(value)
        if value.is_number
        else re.compile(rf"\b{re.escape(value.base)}\b", re.IGNORECASE)
    )


def _length(named: tuple[Value, re.Pattern[str]]) -> int:
    return -len(named[0].base)

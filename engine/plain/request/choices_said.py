"""Choices that a request names: samplers, files, whatever a value can be one of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ...environment.definition_values import Scalar
from ...environment.node_definition import NodeDefinition
from ...environment.spelled import spelled
from ..meant import plain
from ..names import Value, input_of
from .numbers_said import CLAUSES, Said, one_or_equal

_LONGEST_CHOICE = 6
_SHORTEST_ALONE = 6
_SHORTEST_ASKED = 4
_ASKED = re.compile(
    r"\b(?:use|try|switch to|change to|go with|nimm|utilise|usa)\s+(?:the\s+)?$", re.IGNORECASE
)
_EVERYDAY = frozenset(
    [
        "simple",
        "normal",
        "linear",
        "default",
        "center",
        "random",
        "nearest",
        "disabled",
        "enabled",
        "fixed",
        "image",
        "images",
        "output",
        "input",
        "video",
    ]
)
_TOKEN = re.compile(r"[^\s,;:!?()\"“”„'«»]+")
_NOT_THIS = re.compile(
    r"\b(?:instead of|not|no|except|than|from|but|without|statt|nicht|von)\s+(?:the\s+)?$", re.IGNORECASE
)


def choices_said(values: Sequence[Value], definitions: Mapping[str, NodeDefinition], request: str) -> Said:
    found: Said = []
    choices_of = [
        (value, _by_spelling(choices)) for value in values if (choices := _choices(value, definitions))
    ]
    taken: list[tuple[int, int]] = []
    for start, end, words in _windows(request):
        if any(start < b and a < end for a, b in taken) or _NOT_THIS.search(request[:start]):
            continue
        alike = [
            (value, choice)
            for value, choices in choices_of
            if _is_telling(words)
            or _is_asked_for(request[:start], words)
            or _is_listed(request[:start], words, request[end:])
            or f" {plain(value.base)} " in f" {plain(request)} "
            for choice in choices.get(spelled(words), ())
        ]
        if not alike:
            continue
        taken.append((start, end))
        if len({choice for _, choice in alike}) == 1 and len({value.widget for value, _ in alike}) == 1:
            choice = alike[0][1]
            clause = CLAUSES.split(request[:start])[-1] + CLAUSES.split(request[end:])[0]
            meant = one_or_equal([value for value, _ in alike], request, choice, clause=clause)
            found += [(value, choice) for value in meant]
    of = [value for value, _ in found]
    return [(value, new) for value, new in found if of.count(value) == 1]


def _windows(request: str) -> Iterator[tuple[int, int, str]]:
    """Neighbouring words, the most first."""
    tokens = [(match.start(), match.end()) for match in _TOKEN.finditer(request)]
    for length in range(min(_LONGEST_CHOICE, len(tokens)), 0, -1):
        for first in range(len(tokens) - length + 1):
            start, end = tokens[first][0], tokens[first + length - 1][1]
            words = request[start:end].rstrip(".")
            if len(_TOKEN.findall(words)) == length and not re.search(r"[,;:!?()]", words):
                yield start, end, words


def _choices(value: Value, definitions: Mapping[str, NodeDefinition]) -> tuple[Scalar, ...]:
    field = input_of(value, definitions)
    return (field and field.choices) or () if isinstance(value.value, str) else ()


@lru_cache(maxsize=64)
def _by_spelling(choices: tuple[Scalar, ...]) -> dict[str, tuple[str, ...]]:
    """Files also without what their names end in."""
    found: dict[str, tuple[str, ...]] = {}
    for choice in choices:
        if isinstance(choice, str):
            for name in {spelled(choice), spelled(choice.rpartition(".")[0] or choice)}:
                found[name] = (*found.get(name, ()), choice)
    return found


def _is_asked_for(before: str, words: str) -> bool:
    """Such as "switch to euler"."""
    return (
        len(words) >= _SHORTEST_ASKED and words.lower() not in _EVERYDAY and _ASKED.search(before) is not None
    )


def _is_listed(before: str, words: str, after: str) -> bool:
    """Alone between commas: "steps 25, euler"."""
    is_alone = before.rstrip()[-1:] in ("", ",", ";") and after.lstrip()[:1] in ("", ",", ";", ".")
    return is_alone and bool(before + after) and words.lower() not in _EVERYDAY and len(words) > 2


def _is_telling(words: str) -> bool:
    """Whether it can be nothing but the name of a choice."""
    has_signs = re.search(r"[\d_.+]", words) is not None and len(words) > 2
    return has_signs or (len(words) >= _SHORTEST_ALONE and words.lower() not in _EVERYDAY)

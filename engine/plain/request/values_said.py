"""Values that a person names in a request together with what they are to be, where the words leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...environment.node_definition import NodeDefinition
from ..color_image import asks_for_color
from ..meant import plain
from ..names import Value, input_of, values_by_name
from ..workflow import Workflow
from .choices_said import choices_said
from .comparatives import COMPARING, SEEDS, NamedIn, SaidChange, changeable, comparison_in
from .differences import difference_in, is_difference, without_differences
from .eastern_names import with_western_names
from .near_spellings import with_names_spelled
from .new_seeds import ANOTHER_SEED, another_seed, wants_another_seed
from .numbers_said import (
    CLAUSES,
    FORMER,
    HOW_MANY,
    SIZE,
    SQUARE,
    Said,
    in_parts_of_one,
    mentions_in,
    names_pattern,
    numbers_in,
    numbers_said,
    one_or_equal,
    with_plain_thousands,
)
from .orders import asks, plain_orders
from .run_order import without_run_order
from .shapes_said import shapes_said, without_shapes
from .texts_said import PROMPT, text_said, texts_and_rest, with_role_spelled
from .wish import wish_of

_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
PARTS = re.compile(r"[;,.!?]\s+|\s(?:and|then|but|und|dann|et|puis|y|luego)\s", re.IGNORECASE)
_FILE_NAME_PREFIX = "filename_prefix"
_BATCH = "batch_size"
_FILE_NAME = re.compile(
    r"\b(?:(?:save|store|export|speicher\w*|enregistre\w*|guarda\w*)\b.*\b(?:as|under|als|unter|sous|como|bajo)"
    r"(?: the name| dem namen| le nom| el nombre)?|"
    r"(?:files?|images?|pictures?|videos?|outputs?|results?|prefix)\b.*\b"
    r"(?:under the name|named|called|start(?:ing)? with|begin with)|"
    r"(?:name|call) (?:(?:the|my|all|saved|output) )*(?:files?|images?|pictures?|videos?|outputs?|results?)|"
    r"file ?(?:name(?: prefix)?|prefix)(?: to| should be|:)?)"
    r"\s+[\"“„'‘]?(?P<name>(?!(?:png|jpe?g|webp|gif|svg|mp4|webm|json)\b)[\w./-]*\w)[\"”“'’]?\s*[.!]?\s*$",
    re.IGNORECASE,
)


def values_said(
    workflow: Workflow, definitions: Mapping[str, NodeDefinition], request: str, *, is_fresh: bool = True
) -> Said:
    """What of it is not so yet."""
    return not_so_yet(values_named(workflow, definitions, request, is_fresh=is_fresh))


def not_so_yet(named: Said) -> Said:
    return [(value, new) for value, new in named if not _is_now(value.value, new)]


def names_values_alone(workflow: Workflow, request: str) -> bool:
    """Whether each part of a request is about a value: "make it 128 wide and invert it" asks for more."""
    values = values_by_name(workflow)
    text = text_said(values, request)
    rest = request.replace(text[0][1], " ") if text else request
    parts = [part for part in PARTS.split(rest) if plain(part)]
    return len(parts) < 2 or all(mentions_in(values, part) or numbers_in(part) for part in parts)


def _is_now(value: Any, new: str) -> bool:
    if isinstance(value, int | float):
        return value == float(new)
    return str(value) == new


def values_named(
    workflow: Workflow, definitions: Mapping[str, NodeDefinition], request: str, *, is_fresh: bool = True
) -> Said:
    """All of it, whether it is so or not; only of what is plainly ordered.

    `is_fresh`: the workflow is as it was when it was said, so that "more steps" means more than there are now.
    """
    if wish_of(request) in ({"know"}, {"undo"}) or asks_for_color(request):
        return []
    values = values_by_name(workflow)
    request = with_role_spelled(with_western_names(without_run_order(request)[0]))
    text, rest = texts_and_rest(values, request, is_fresh=is_fresh)
    if asks(rest):
        return []
    rest = with_names_spelled(plain_orders(rest), _names_of(values))
    numbers = numbers_said(values, with_plain_thousands(rest))
    has_size = any(value.widget in ("width", "height") for value, _ in numbers)
    return _each_once(
        [
            *text,
            *numbers,
            *(shapes_said(values, rest) if is_fresh and not has_size else []),
            *([*_seeds_said(values, rest), *_compared(values, definitions, rest)] if is_fresh else []),
            *choices_said(values, definitions, rest),
            *_file_name_said(values, rest),
        ]
    )


def rest_of(
    workflow: Workflow, definitions: Mapping[str, NodeDefinition], request: str, named: Said
) -> str | None:
    """What a request says beside `named`, the values that were read out of it; None where it compares what was not
    read.
    """
    every, values = values_by_name(workflow), [value for value, _ in named]
    text, rest = texts_and_rest(every, with_role_spelled(request), is_fresh=True)
    if text:
        rest = PROMPT.sub(" ", rest)
    rest = with_names_spelled(rest, _names_of(values))
    rest = with_plain_thousands(FORMER.sub("", rest))
    for value, new in named:
        if value.widget == _FILE_NAME_PREFIX:
            rest = rest.replace(new, " ")
        if value.widget == _BATCH:
            rest = HOW_MANY.sub(" ", rest)
        if value.widget in SEEDS:
            rest = ANOTHER_SEED.sub(" ", rest)
    rest = in_parts_of_one(rest)
    for clause in CLAUSES.split(rest):
        if is_difference(clause):
            if not _compared(every, definitions, clause):
                return None
            rest = rest.replace(clause, without_differences(clause))
            continue
        compared = COMPARING.search(clause) is not None and not numbers_in(clause)
        # "Wider, 1216 by 832" says the same thing twice.
        is_explained = not plain(COMPARING.sub(" ", clause)) and bool(numbers_in(rest) or SIZE.search(rest))
        if compared and not is_explained and not _compared(every, definitions, clause):
            return None
    if {value.widget for value in values} >= {"width", "height"}:
        rest = SQUARE.sub(" ", without_shapes(SIZE.sub(" ", rest)))
    rest = _DECIMAL_COMMA.sub(".", rest)
    for pattern in (COMPARING, *map(names_pattern, values)):
        rest = pattern.sub(" ", rest.replace("_", " "))
    return rest


def _names_of(values: Sequence[Value]) -> list[str]:
    return [name for value in values for name in (value.base, value.widget)]


def _each_once(said: Said) -> Said:
    """Of "wider, 1216 by 832" the width that is named."""
    found: dict[str, tuple[Value, str]] = {}
    for value, new in said:
        found.setdefault(value.name, (value, new))
    return [*found.values()]


def _seeds_said(values: Sequence[Value], request: str) -> Said:
    seeds = [value for value in values if value.widget in SEEDS and isinstance(value.value, int)]
    clause = next(filter(wants_another_seed, CLAUSES.split(request)), None)
    meant = one_or_equal(seeds, clause, "") if clause else []
    return [(value, str(another_seed(value.value))) for value in meant]


def _compared(values: Sequence[Value], definitions: Mapping[str, NodeDefinition], request: str) -> Said:
    """Nothing where a number stands alone beside it, which says how much: "less frames, 33"."""
    if any(numbers_in(clause) == [plain(clause)] for clause in CLAUSES.split(request)):
        return []
    clauses = CLAUSES.split(request)
    compared = [clause for clause in clauses if not is_difference(clause)]
    numeric = changeable(values)
    return [
        each
        for read, said in ((comparison_in, compared), (difference_in, clauses))
        for clause in said
        for each in _changes(numeric, definitions, clause, read)
    ]


def _changes(
    values: Sequence[Value],
    definitions: Mapping[str, NodeDefinition],
    clause: str,
    read: Callable[[Sequence[Value], str, NamedIn], SaidChange | None],
) -> Iterator[tuple[Value, str]]:
    if (said := read(values, clause, mentions_in)) is None:
        return
    for widget in said.widgets:
        of_widget = [value for value in values if value.widget == widget]
        for value in one_or_equal(of_widget, clause, ""):
            new = said.change(value, input_of(value, definitions))
            if new is not None:
                yield value, new


def _file_name_said(values: Sequence[Value], request: str) -> Said:
    names = [value for value in values if value.widget == _FILE_NAME_PREFIX]
    found = _FILE_NAME.search(request)
    return [(names[0], found["name"])] if found and len(names) == 1 else []


def as_words(said: Sequence[tuple[Value, Any]]) -> dict[str, str]:
    """The arguments of setValue that say it."""
    return {
        "name": " and ".join(value.name for value, _ in said),
        "value": " and ".join(str(new) for _, new in said),
    }

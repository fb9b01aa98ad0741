"""Values that a person names in a request together with what they are to be, where the words leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..environment.node_definition import NodeDefinition, Scalar
from ..environment.spelled import spelled
from ..sentences import sentences_in
from .color_image import asks_for_color
from .comparatives import comparisons_said
from .meant import named_by, plain
from .names import Value, input_of, values_by_name
from .orders import asks, is_order, plain_orders
from .wish import wish_of
from .workflow import Workflow

Said = list[tuple[Value, str]]

_SIZE = re.compile(r"\b(\d{2,5})\s*(?:x|×|\*|by|mal|par|por)\s*(\d{2,5})\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?(?![\w%]|[.,]\d)")
_THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+(?![\w,]|\.\d)")
_THOUSANDS_BY_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_FEWEST_PIXELS = 64
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2
    )
}
_NODE = re.compile(r"\bnode\s*#?\s*(\d+(?::\d+)*)", re.IGNORECASE)
_CLAUSES = re.compile(r"[;,]\s+(?!(?:like|say|maybe|so)\b)|\s(?:and|und|et|y)\s", re.IGNORECASE)
_AIMED = re.compile(r"\b(?:like|say|maybe|to|auf)\s+(?=\d)(?!.*\bby\s+\d)", re.IGNORECASE)
"""Before a number that is what is wanted, whatever it is compared with."""
_ALL = re.compile(
    r"\b(?:both|all|each|every\w*|beide\w*|alle\w*|jede\w*|überall|partout|tous|toutes|les deux|tod[oa]s|amb[oa]s)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[;,.!?]\s+|\s(?:and|then|but|und|dann|et|puis|y|luego)\s", re.IGNORECASE)
_POLITE = frozenset(["please", "thanks", "thank", "you", "hi", "hello", "bitte", "danke", "merci", "gracias"])
_DOUBT = re.compile(
    r"\b(?:add|more|less|fewer|extra|additional|times|half|double|twice|triple|between|if|unless|"
    r"(?:increase|decrease|raise|lower|reduce)\w*\b.* by)\b|%",
    re.IGNORECASE,
)
"""Of numbers: what is there now counts, or what is not said."""
_CALLED: dict[str, str] = {
    "steps": r"(?<!at )(?<!from )(?<!until )(?<!after )(?:steps?|iterations|étapes|schritten?|pasos)",
    "cfg": r"cfg(?: scale)?|guidance(?: scale)?",
    "denoise": r"denois(?:e|ing)(?: strength)?",
    "width": r"wide|breit|breite|largeur|ancho",
    "height": r"high|tall|hoch|höhe|hauteur|alto",
    "batch_size": r"batch|(?:images|pictures|variants|videos) (?:at once|per run|at a time|in one go|at the same time|"
    r"each run|each time)",
    "length": r"frames(?: long)?",
    "fps": r"frame rate|frames per second",
    "frame_rate": r"fps|frames per second",
    "noise_seed": r"seed",
}
"""What people call a number, beside its own name; by its widget."""

_LONGEST_CHOICE = 6
_SHORTEST_ALONE = 6
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

_FILE_NAME = re.compile(
    r"\b(?:(?:save|store|export)\b.*\bas|(?:files?|images?|pictures?|videos?|prefix)\b.*\b"
    r"(?:under the name|named|called|start(?:ing)? with|begin with)|"
    r"(?:name|call) (?:(?:the|my|all|saved|output) )*(?:files?|images?|pictures?|videos?)|"
    r"file ?name(?: prefix)?(?: to| should be|:)?)"
    r"\s+[\"“„'‘]?(?P<name>(?!(?:png|jpe?g|webp|gif|svg|mp4|webm|json)\b)[\w./-]*\w)[\"”“'’]?\s*[.!]?\s*$",
    re.IGNORECASE,
)

_PROMPT = re.compile(
    r"\b(?:(?P<role>negativ\w*|positiv\w*)\s+)?(?:text[- ]?)?(?:prompt|promp|promt|propmt|提示词)\b|"
    r"^\W*(?P<alone>negative?|positive?)(?=\s*[:=])",
    re.IGNORECASE,
)
_TEXT_OF_NODE = re.compile(r"\b(?:text|prompt) (?:of|in) (?:the )?node\s*#?\s*(\d+(?::\d+)*)", re.IGNORECASE)
_TEXTS = ("text", "prompt", "value", "string")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]|(?<!\w)['‘]([^'‘’]+)['’](?!\w)")
_GIVEN = re.compile(
    r"^(?:\s*(?:should|shall|must|soll)\s*(?:now\s+)?(?:be|say|read|lauten|sein)?\s*[:=]?|\s*[:=：]|"
    r"\s+(?:to|zu|auf|in|en|a|à|por|par|with|as)(?:\s*:)?)\s+(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_AFTERWARDS = re.compile(
    r"\s*(?:[.,;!]|\band\b|\bthen\b)+\s*(?:and |then |please |now )*"
    r"(?:run|start|generate|render|queue|don't|do not|keep|leave)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_VAGUE = re.compile(
    r"^(?:something|anything|what|whatever|the same|be |say |match|include|reflect|show|better|a better|more |less )|"
    r"\binstead of\b|\?",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"\b(?:add|append)\s+(?P<text>.+?)\s+(?:to|into|in|at the end of)\s+(?:the |my )?$",
    re.IGNORECASE | re.DOTALL,
)
_IN_ADDITION = re.compile(r"\b(?:add|append|also|too|more|extend|plus|keep|besides|as well)\b", re.IGNORECASE)
_SHORT_PART = 5
_AROUND = " \t\n\"“”„'‘’«»"


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
    text = _text_said(values, request)
    rest = request.replace(text[0][1], " ") if text else request
    parts = [part for part in _PARTS.split(rest) if _words_that_count(part)]
    return len(parts) < 2 or all(_mentions(values, part) or _numbers_in(part) for part in parts)


def _words_that_count(part: str) -> list[str]:
    return [word for word in plain(part).split() if word not in _POLITE]


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
    text = _text_said(values, request)
    # What the picture is to show says nothing of numbers and files.
    rest = request.replace(text[0][1], " ") if text else request
    added = _text_added(values, request) if is_fresh else []
    if asks(rest):
        return []
    if added:
        return added
    rest = plain_orders(rest)
    return [
        *text,
        *_numbers_said(values, _THOUSANDS.sub(lambda number: number[0].replace(",", ""), rest)),
        *(_compared(values, definitions, rest) if is_fresh else []),
        *_choices_said(values, definitions, rest),
        *_file_name_said(values, rest),
    ]


def _numbers_said(values: Sequence[Value], request: str) -> Said:
    numeric = [
        value
        for value in values
        if isinstance(value.value, int | float) and not isinstance(value.value, bool)
    ]
    of_node = _NODE.findall(request)
    if of_node:
        numeric = [value for value in numeric if value.node.id in of_node]
    text = _QUOTED.sub(" ", _NODE.sub(" ", request))
    sizes = _SIZE.findall(text)
    text = _SIZE.sub(" ", text)
    if (_DOUBT.search(text) and not _AIMED.search(text)) or len(sizes) > 1:
        return []
    found: Said = []
    for base, number in zip(("width", "height"), sizes[0] if sizes else (), strict=False):
        found += _of_base(numeric, base, request, number)
    clauses = [(_mentions(numeric, clause), _numbers_in(clause)) for clause in _CLAUSES.split(text)]
    bases = [base for said, _ in clauses for base in said]
    numbers = [number for _, several in clauses for number in several]
    if len(numbers) == 1 and sorted(bases) == ["height", "width"]:
        return [
            *_of_base(numeric, "width", request, numbers[0]),
            *_of_base(numeric, "height", request, numbers[0]),
        ]
    if any(len(said) != 1 or len(several) != 1 for said, several in clauses if several):
        return found
    for said, several in clauses:
        if several:
            found += _of_base(numeric, said[0], request, several[0])
    return found


def _mentions(values: Sequence[Value], clause: str) -> list[str]:
    """The widgets that a clause names; of "frames per second" and "frames" only the longer."""
    spans: dict[tuple[int, int], str] = {}
    for value in values:
        names = {re.escape(plain(name)) for name in (value.base, value.widget)}
        called = "|".join([*sorted(names, key=len, reverse=True), _CALLED.get(value.widget, r"(?!)")])
        for match in re.finditer(rf"\b(?:{called})\b", clause.replace("_", " "), re.IGNORECASE):
            spans.setdefault(match.span(), value.widget)
    longest = [
        widget
        for (start, end), widget in spans.items()
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in spans)
    ]
    return list(dict.fromkeys(longest))


def _numbers_in(clause: str) -> list[str]:
    words = [_NUMBER_WORDS[word] for word in plain(clause).split() if word in _NUMBER_WORDS]
    return [*(number.replace(",", ".") for number in _NUMBER.findall(clause)), *words]


def _of_base(values: Sequence[Value], widget: str, request: str, new: str) -> Said:
    meant = _one_or_equal([value for value in values if value.widget == widget], request, new)
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


def _one_or_equal(values: Sequence[Value], request: str, new: str) -> Sequence[Value]:
    """The one that the request tells from the others by words of its own, or all where they are equal now."""
    if len(values) < 2:
        return values
    named = named_by(request, [value.name for value in values], value=new)
    if named is not None:
        return [value for value in values if value.name == named]
    is_one = len({str(value.value) for value in values}) == 1
    return values if is_one or _ALL.search(request) else []


def _compared(values: Sequence[Value], definitions: Mapping[str, NodeDefinition], request: str) -> Said:
    return comparisons_said(
        values,
        definitions,
        _CLAUSES.split(request),
        _mentions,
        lambda several, clause: _one_or_equal(several, clause, ""),
    )


def _file_name_said(values: Sequence[Value], request: str) -> Said:
    names = [value for value in values if value.widget == "filename_prefix"]
    found = _FILE_NAME.search(request)
    return [(names[0], found["name"])] if found and len(names) == 1 else []


def _choices_said(values: Sequence[Value], definitions: Mapping[str, NodeDefinition], request: str) -> Said:
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
            if _is_telling(words) or f" {plain(value.base)} " in f" {plain(request)} "
            for choice in choices.get(spelled(words), ())
        ]
        if not alike:
            continue
        taken.append((start, end))
        if len({choice for _, choice in alike}) == 1 and len({value.widget for value, _ in alike}) == 1:
            choice = alike[0][1]
            found += [
                (value, choice) for value in _one_or_equal([value for value, _ in alike], request, choice)
            ]
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


def _is_telling(words: str) -> bool:
    """Whether it can be nothing but the name of a choice."""
    has_signs = re.search(r"[\d_.+]", words) is not None and len(words) > 2
    return has_signs or (len(words) >= _SHORTEST_ALONE and words.lower() not in _EVERYDAY)


def _text_said(values: Sequence[Value], request: str) -> Said:
    if of_node := _TEXT_OF_NODE.search(request):
        texts = [value for value in values if value.node.id == of_node[1] and value.widget in _TEXTS]
        text = _text_given(request, of_node, values)
        return [(texts[0], text)] if text and len(texts) == 1 else []
    mentions = [*_PROMPT.finditer(request)]
    if len(mentions) != 1 or _IN_ADDITION.search(request[: mentions[0].start()]):
        return []
    [mention] = mentions
    text = _text_given(request, mention, values)
    if not text or _NODE.search(request[: mention.end()]):
        return []
    return [(value, text) for value in _prompts_of(values, mention)]


def _text_added(values: Sequence[Value], request: str) -> Said:
    """What "add … to the negative prompt" puts behind the text that is there."""
    mentions = [*_PROMPT.finditer(request)]
    if len(mentions) != 1:
        return []
    added = _ADDED.search(request[: mentions[0].start()])
    text = added["text"].strip(_AROUND) if added else ""
    if not text or _VAGUE.search(text) or not is_order(request[: mentions[0].end()]):
        return []
    return [
        (value, f"{value.value.rstrip(' ,.')}, {text}" if value.value.strip() else text)
        for value in _prompts_of(values, mentions[0])
    ]


def _prompts_of(values: Sequence[Value], mention: re.Match[str]) -> list[Value]:
    role = (mention["role"] or mention["alone"] or "positive").lower()
    base = "negative prompt" if role.startswith("neg") else "positive prompt"
    meant = [value for value in values if value.base == base and isinstance(value.value, str)]
    return meant if len({value.node.id for value in meant}) == 1 else []


def _text_given(request: str, mention: re.Match[str], values: Sequence[Value]) -> str:
    if not all(map(is_order, sentences_in(request[: mention.end()], of_orders=True)[-1:])):
        return ""
    quoted = [first or second for first, second in _QUOTED.findall(request)]
    if len(quoted) > 1:
        return ""
    if quoted:
        return (
            ""
            if re.search(
                r"\b(?:from|instead of|remove|replace)\s*\W$",
                request[: request.index(quoted[0])],
                re.IGNORECASE,
            )
            else quoted[0].strip()
        )
    given = _GIVEN.match(request[mention.end() :])
    text = _AFTERWARDS.sub("", given["text"]) if given else ""
    text = _without_other_values(text, values).strip(_AROUND)
    text = re.sub(r"[.!]$", "", text) if text.count(".") + text.count("!") == 1 else text
    return "" if _VAGUE.search(text) else text


def _without_other_values(text: str, values: Sequence[Value]) -> str:
    """Of "a cat, width 640" the cat: from where a part is nothing but a value and its number."""
    numeric = [value for value in values if isinstance(value.value, int | float)]
    for comma in re.finditer(r"[,;]\s+|\s(?:and|und|et|y)\s", text):
        part = _CLAUSES.split(text[comma.end() :])[0]
        if (
            _mentions(numeric, part)
            and len(_numbers_in(part)) == 1
            and len(plain(part).split()) <= _SHORT_PART
        ):
            return text[: comma.start()]
    return text


def as_words(said: Sequence[tuple[Value, Any]]) -> dict[str, str]:
    """The arguments of setValue that say it."""
    return {
        "name": " and ".join(value.name for value, _ in said),
        "value": " and ".join(str(new) for _, new in said),
    }

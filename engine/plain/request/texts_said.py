"""Texts that a request gives for a prompt, or changes a part of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.sentences import sentences_in
from ..meant import plain
from ..names import Value
from .eastern_names import with_western_prompt
from .near_spellings import with_names_spelled
from .numbers_said import CLAUSES, NODE, Said, mentions_in, numbers_in
from .orders import is_order
from .quoted import AROUND, QUOTED, quoted_in
from .text_edits import edit_said

PROMPT = re.compile(
    r"\b(?:(?P<role>neg(?:ativ\w*)?|pos(?:itiv\w*)?)\.?\s+)?(?:text[- ]?)?(?:prompts?|promp|promt|propmt|提示词)\b|"
    r"^\W*(?P<alone>negative?|positive?)(?=\s*[:=])|\bthe (?P<bare>negative|positive)s?\b(?=[\s.!]*$)",
    re.IGNORECASE,
)
_ROLE = re.compile(r"\b\w+(?=\s+(?:prompts?|promp|promt|propmt)\b)|^\W*\w+(?=\s*[:=])", re.IGNORECASE)
"""Which prompt it is, which has to be right."""
_TEXT_OF_NODE = re.compile(r"\b(?:text|prompt) (?:of|in) (?:the )?node\s*#?\s*(\d+(?::\d+)*)", re.IGNORECASE)
_TEXTS = ("text", "prompt", "value", "string")
_GIVEN = re.compile(
    r"^(?:\s*(?:should|shall|must|soll)\s*(?:now\s+)?(?:be|say|read|lauten|sein)?\s*[:=]?|\s*[:=：]|\s+(?:is|ist|est|es)\s*:|"
    r"\s+(?:to|zu|auf|in|en|(?P<a>a)|à|por|par|with|as)(?:\s*:)?)\s+(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SPANISH = re.compile(r"\b(?:el|del|cambi\w+|pon\w*|modific\w+|actualiz\w+)\b", re.IGNORECASE)
"""Before a prompt that "a" leads to its text: else that is an article."""
_AFTERWARDS = re.compile(
    r"\s*(?:[.,;!]|\band\b|\bthen\b)+\s*(?:and |then |now )*"
    r"(?:run|start|generate|render|queue|don't|do not|keep|leave)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_ANOTHER_ORDER = re.compile(
    r"(?:[.,;!]|\b(?:and|then|und|dann|et|puis|y|luego)\b)\s*"
    r"(?:(?:and|then|also|und|dann|auch|et|puis|aussi|y|luego|también)\s+)*"
    r"(?:add|append|remove|delete|set|change|connect|disconnect|insert|put|bypass|mute|replace|swap|use|save|rename|make|"
    r"double|halve|increase|decrease|raise|lower|reduce|turn|switch|undo|tell|explain|show|(?:the )?negative|"
    r"füge|entferne|lösche|setze?|stelle?|ändere|verbinde|ersetze|nimm|nutze|speichere|mach|"
    r"ajoute|supprime|enlève|mets|change|connecte|remplace|utilise|"
    r"añade|agrega|quita|elimina|pon|cambia|conecta|reemplaza|usa|guarda)\b",
    re.IGNORECASE,
)
"""A text that goes on like this may end before: that is not read."""
_VAGUE = re.compile(
    r"^(?:something|anything|what|whatever|the same|same\b|be |say |match|include|reflect|show|not |never |nicht |nie |"
    r"better|a better|more |less |"
    r"have |contain|mention|about |in (?:english|german|french|spanish|chinese|japanese|capitals|brackets|quotes)|"
    r"(?:shorter|longer|simpler|clearer|richer|different|empty|default|original|random|translated|changed)\b|"
    r"(?:its|the|your|an?) (?:default|previous|last|old|original|first|longer|shorter|"
    r"different|new|poem|random)(?: one| prompt| text)?\W*$)|"
    r"\binstead of\b|\?|"
    r"^(?:german|english|french|spanish|italian|chinese|japanese|russian|deutsch|englisch|französisch|spanisch)\W*$",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\b(?:put|wrap|enclose|write|set|keep|place)\b[^,;.!?]*$", re.IGNORECASE)
_IN = re.compile(r"\s+in\s", re.IGNORECASE)
"""As in "put the prompt in brackets": what follows is no text for it."""
_IN_ADDITION = re.compile(r"\b(?:add|append|also|too|more|extend|plus|keep|besides|as well)\b", re.IGNORECASE)
_BOTH = re.compile(
    r"^\W*(?:(?:set|change|use)\s+)*(?:the )?(?:pos(?:itive)?\.?(?:\s+prompt)?|prompt)(?:\s*[:=]|\s+to\b)\s*"
    r"(?P<positive>\S.*?)[\s.,;]+(?:and\s+)?(?:the )?neg(?:ative)?\.?(?:\s+(?:prompt|one))?(?:\s*[:=]|\s+to\b)\s*"
    r"(?P<negative>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
"""Both prompts in one message."""
_OTHER_DEEDS = re.compile(
    r"\b(?:translat|send|connect|link|wir|plug|feed|copy|convert|compar|appl|rout|pass|shorten|expand|rewrit|improv|limit|"
    r"reduc|enhanc|übersetz|verbind|kürz|tradui|traduc|conect|reli)\w*\b",
    re.IGNORECASE,
)
"""With a prompt: what follows is no text for it."""
_SHORT_PART = 5


def with_role_spelled(request: str) -> str:
    return _ROLE.sub(lambda word: with_names_spelled(word[0], ()), request)


def text_said(values: Sequence[Value], request: str) -> Said:
    if of_node := _TEXT_OF_NODE.search(request):
        texts = [value for value in values if value.node.id == of_node[1] and value.widget in _TEXTS]
        text = _text_given(request, of_node, values)
        return [(texts[0], text)] if text and len(texts) == 1 else []
    mentions = [*PROMPT.finditer(request)]
    before = request[: mentions[0].start()] if mentions else ""
    if len(mentions) != 1 or _IN_ADDITION.search(before) or _OTHER_DEEDS.search(before):
        return []
    [mention] = mentions
    text = _text_given(request, mention, values)
    if not text or NODE.search(request[: mention.end()]):
        return []
    return [(value, text) for value in _prompts_of(values, mention)]


def texts_and_rest(values: Sequence[Value], request: str, *, is_fresh: bool) -> tuple[Said, str]:
    """What becomes of prompts, and what else is said: what a picture is to show says nothing of numbers and files."""
    request = with_western_prompt(request)
    if (both := _BOTH.match(request)) and not any(map(_ANOTHER_ORDER.search, both.groups())):
        texts = [(base, _AFTERWARDS.sub("", both[base]).strip(AROUND)) for base in ("positive", "negative")]
        of = [(_of_base(values, f"{base} prompt"), text) for base, text in texts]
        return [(value, text) for several, text in of for value in several], "" if all(
            each for each, _ in of
        ) else request
    mentions = [*PROMPT.finditer(request)]
    said = _without_other_values(request, values)
    is_before = len(mentions) == 1 and mentions[0].end() <= len(said)
    found = edit_said(said, *mentions[0].span()) if is_before else None
    if found is None:
        text = text_said(values, request)
        return text, request.replace(text[0][1], " ") if text else request
    edit, start = found
    sentence = sentences_in(QUOTED.sub(" ", said), of_orders=True)[-1]
    is_meant = is_fresh and is_order(sentence)
    new = [(value, edit(value.value)) for value in _prompts_of(values, mentions[0])] if is_meant else []
    rest = request[:start] + request[len(said) :] if new else request
    return [(value, text) for value, text in new if text is not None], rest


def _prompts_of(values: Sequence[Value], mention: re.Match[str]) -> list[Value]:
    """None of "both prompts", of which nobody says which."""
    role = mention["role"] or mention["alone"] or mention["bare"]
    return prompts_of(values, role or "positive") if role or not mention[0].lower().endswith("s") else []


def prompts_of(values: Sequence[Value], role: str) -> list[Value]:
    """Those of the only node that has the text of this role, which may be cut short: "neg"."""
    return _of_base(values, "negative prompt" if role.lower().startswith("neg") else "positive prompt")


def _of_base(values: Sequence[Value], base: str) -> list[Value]:
    meant = [value for value in values if value.base == base and isinstance(value.value, str)]
    return meant if len({value.node.id for value in meant}) == 1 else []


def _text_given(request: str, mention: re.Match[str], values: Sequence[Value]) -> str:
    if not all(map(is_order, sentences_in(request[: mention.end()], of_orders=True)[-1:])):
        return ""
    quoted = quoted_in(request)
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
    if given and given["a"] and not _SPANISH.search(request[: mention.start()]):
        return ""
    if given and _PLACED.search(request[: mention.start()]) and _IN.match(request[mention.end() :]):
        return ""
    text = _AFTERWARDS.sub("", given["text"]) if given else ""
    text = _without_other_values(text, values).strip(AROUND)
    text = re.sub(r"[.!]$", "", text) if text.count(".") + text.count("!") == 1 else text
    return "" if _VAGUE.search(text) or _ANOTHER_ORDER.search(text) else text


def _without_other_values(text: str, values: Sequence[Value]) -> str:
    """Of "a cat, width 640" the cat: from where a part is nothing but a value and its number."""
    numeric = [value for value in values if isinstance(value.value, int | float)]
    for comma in re.finditer(r"[,;.!]\s+|\s(?:and|und|et|y)\s", text):
        part = CLAUSES.split(text[comma.end() :])[0]
        if (
            mentions_in(numeric, part)
            and len(numbers_in(part)) == 1
            and len(plain(part).split()) <= _SHORT_PART
        ):
            return text[: comma.start()]
    return text

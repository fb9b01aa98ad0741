"""The sentences of a text that say most, by their weight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..base.text.sentences import split_sentences
from .shorten import border_after, border_before, head_and_tail

_STRETCH = 1.7
GAP = "…"
LOOKED_AT = 20_000
_LOOKED_AT_IN_MESSAGE = 200_000
_BEGINNING, _END = 0.35, 0.2
_LEAST_KEPT = 400
LEAST_OF_WISH = 0.5
"""The least weight of a sentence that states a goal, a rule, a name or a figure."""

_LOOKED_AT_IN_SENTENCE = 1_000
_QUOTATION = r"`[^`]+`|\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』"
_WORD_START, _WORD_END = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
_NAME = (
    rf"{_WORD_START}(?:\w*[A-Za-z0-9]_\w+|[\w-]+\.[A-Za-z]\w{{1,11}}|[a-z]+[A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*|"
    rf"(?!OK{_WORD_END})[A-Z]{{2,}}){_WORD_END}"
)
_NUMBER = r"\d+(?:[.,:x×]\d+)*"
_UNIT = r"\s?(?:%|°|[kMGT]i?B\b|m?s\b|[Ss]e[ck]|[Mm]in(?!i)|секунд|минут|秒|分钟)"
_EXACT = re.compile(rf"(?P<quotation>{_QUOTATION})|(?P<name>{_NAME})|(?P<number>{_NUMBER})(?P<unit>{_UNIT})?")
_UNMISTAKABLE, _MOST_EXACT = 1.5, 4.0
_COMPOUND = re.compile(r"\d[.,:x×]\d|\.[A-Za-z]\w+$")
_LONG_NUMBER = re.compile(r"\d\d\d")
_LASTING = (
    r"\b(?:always|never|from now on|every(?: time|thing|one)?|whatever|as long as|"
    r"immer|nie(?:mals)?|ab (?:jetzt|sofort)|künftig|jedes mal|"
    r"toujours|jamais|désormais|dorénavant|chaque fois|siempre|nunca|a partir de ahora|cada vez|"
    r"sempre|mai più|d'ora in poi|nunca mais|daqui em diante|всегда|никогда|впредь|altijd|nooit)\b|"
    r"以后|一直|永远|始终|每次|总是|今後|常に|いつも|絶対に|毎回|항상|절대|앞으로"
)
_INTENDED = (
    r"\b(?:must|only|don't|do not|should|ha(?:s|ve) to|wants?|needs?|please|without|keep|goal|important|prefer|"
    r"uses?|using|chose|choose|chosen|decid\w+|decision|because|since|instead|rather|so that|therefore|set to|"
    r"settled|agree\w*|will|failed|fixed|works?|replaced?|switch\w*|stay\w*|saved?|"
    r"bitte|muss|müssen|soll(?:en|te)?|will|möchte|brauche|nur|ohne|kein\w*|nimm|verwende|behalte?|wichtig|lieber|"
    r"gewählt|entschieden|weil|damit|stattdessen|"
    r"doit|doivent|veux|voudrais|besoin|sans|seulement|garde[rz]?|utilise[rz]?|il faut|s'il (?:te|vous) plaît|"
    r"choisi|décidé|parce que|"
    r"debe[ns]?|quiero|necesito|sin|solo|sólo|mantén|guarda|usa|por favor|elegí|decidí|porque|"
    r"deve|devono|voglio|senza|per favore|preciso|quero|mantenha|"
    r"должн\w+|нужно|хочу|пожалуйста|только|без|нельзя|moet|wil|alleen|zonder|graag)\b|"
    r"必须|必須|请|請|不要|不能|只|需要|想要|保持|应该|因为|改用|ください|必ず|したい|ないで|"
    r"하지 마|해 ?주세요|반드시|해야"
)
_LASTS = re.compile(_LASTING, re.IGNORECASE)
_INTENTION = re.compile(f"{_LASTING}|{_INTENDED}", re.IGNORECASE)
_DATA_SHARE = 0.55
"""The share of letters below which a line is data, full of figures that nobody has said."""


def key_sentences(text: str, limit: int, focus: str = "") -> str:
    """Return the weightiest sentences of a text, in their order, within about `limit` characters.

    Figures, names and words of intent weigh, and the words of `focus` most of all; length costs. Only the beginning and
    the end of a very long text are read: one regular expression over megabytes would block all of ComfyUI.
    """
    sentences, weights = weigh(head_and_tail(text, LOOKED_AT, f"\n{GAP}\n"))
    if words := focus_words(focus):
        weights = tuple(
            weight + 5 * sum(word in sentence.lower() for word in words)
            for sentence, weight in zip(sentences, weights, strict=True)
        )
    return weightiest(sentences, weights, limit)


def key_passages(text: str, limit: int, marker: str) -> str:
    """Cut a message to about `limit` characters: its beginning, its end, and the wishes between them.

    Wishes are sentences that state a goal, a rule, a name or a figure; of many the weightiest are kept, in their order.
    `marker` stands before them; `{missing}` in it becomes the number of characters left out.
    """
    if len(text) <= limit:
        return text
    if limit < _LEAST_KEPT:
        return head_and_tail(text, limit, marker)
    head = border_before(text, int(limit * _BEGINNING))
    tail = border_after(text, len(text) - int(limit * _END))
    sentences = sentences_of(head_and_tail(text[head:tail], _LOOKED_AT_IN_MESSAGE, f"\n{GAP}\n"))
    weights = [*map(sentence_weight, sentences)]
    room = limit - head - (len(text) - tail)
    kept: dict[int, str] = {}
    for index in sorted(range(len(sentences)), key=lambda index: -weights[index]):
        if weights[index] < LEAST_OF_WISH:
            break
        if len(sentences[index]) + 3 <= room:
            kept[index] = sentences[index]
            room -= len(sentences[index]) + 3
    if not kept:
        return head_and_tail(text, limit, marker)
    passages = with_gaps(sentences, sorted(kept)).removeprefix(f"{GAP} ").removesuffix(f" {GAP}")
    missing = tail - head - sum(map(len, kept.values()))
    return f"{text[:head]}{marker.format(missing=f'{missing:,}')}{passages}\n{GAP}\n{text[tail:]}"


def weightiest(pieces: Sequence[str], weights: Sequence[float], limit: int) -> str:
    """Return the weightiest pieces in their order, within about `limit` characters, gaps marked with an ellipsis.

    The weightiest of all may be somewhat longer than the limit.
    """
    if sum(map(len, pieces)) + len(pieces) <= limit:
        return " ".join(pieces)
    order = sorted(range(len(pieces)), key=lambda index: -weights[index])
    selection: list[int] = []
    room = limit
    for index in order:
        is_best = not selection and len(pieces[index]) <= limit * _STRETCH
        if is_best or len(pieces[index]) + 2 <= room:
            selection.append(index)
            room -= len(pieces[index]) + 2
    if not selection:
        return pieces[order[0]][: max(1, limit - 1)].rstrip() + GAP
    return with_gaps(pieces, sorted(index for index in selection if pieces[index] != GAP))


def with_gaps(pieces: Sequence[str], selection: Sequence[int]) -> str:
    """Join the pieces with these numbers, with an ellipsis wherever others are missing."""
    shown: list[str] = []
    previous = -1
    for index in selection:
        if index != previous + 1:
            shown.append(GAP)
        shown.append(pieces[index])
        previous = index
    if previous != len(pieces) - 1:
        shown.append(GAP)
    return " ".join(shown)


def focus_words(focus: str) -> frozenset[str]:
    """Return the words of a focus that are long enough to tell texts apart."""
    return frozenset(word for word in focus.lower().split() if len(word) > 2)


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, each on one line."""
    return tuple(" ".join(part.split()) for part in split_sentences(text))


@lru_cache(maxsize=2_048)
def weigh(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the sentences of a text, and the weight of each; the first and the last weigh somewhat more."""
    sentences = sentences_of(text)
    last = len(sentences) - 1
    return sentences, tuple(
        sentence_weight(sentence) + (0.5 if index in (0, last) else 0.0) / (1 + len(sentence) / 400)
        for index, sentence in enumerate(sentences)
    )


@lru_cache(maxsize=4_096)
def sentence_weight(sentence: str) -> float:
    """Return the weight of a sentence: figures, names, quotations and words of intent count; length and questions cost.

    The words of intent are from a dozen languages and count less if nothing is named. In other languages only figures
    and names count.
    """
    beginning = sentence[:_LOOKED_AT_IN_SENTENCE]
    details = [*map(_exactness, _EXACT.finditer(beginning))]
    intentions = min(3, sum(1 for _ in _INTENTION.finditer(beginning)))
    intent = (1.0 + 0.5 * intentions) * (1.0 if _UNMISTAKABLE in details else 0.5) if intentions else 0.0
    is_question = sentence.endswith(("?", "？", "؟"))
    weight = min(_MOST_EXACT, sum(details)) + intent - (1.0 if is_question else 0.0)
    if sum(letter.isalpha() or letter == " " for letter in beginning) < _DATA_SHARE * len(beginning):
        weight *= 0.1
    return max(0.0, weight) / (1 + len(sentence) / 400)


def is_lasting(sentence: str) -> bool:
    """Return whether a sentence states a lasting rule."""
    return bool(_LASTS.search(sentence[:_LOOKED_AT_IN_SENTENCE]))


def sentence_form(sentence: str) -> str:
    """Return the form of a sentence: the same for sentences that differ only in figures and names."""
    return _EXACT.sub("0", sentence[:_LOOKED_AT_IN_SENTENCE].casefold())


def sentence_figures(sentence: str) -> frozenset[str]:
    """Return the numbers of a sentence that are long enough to mean one thing only."""
    numbers = (match["number"] for match in _EXACT.finditer(sentence[:_LOOKED_AT_IN_SENTENCE]))
    return frozenset(number for number in numbers if number and len(number) > 2)


def _exactness(match: re.Match[str]) -> float:
    """Return the weight of a detail: quotations and long numbers are unmistakable; durations and sizes count little."""
    if match["unit"]:
        return 0.25
    return (
        _UNMISTAKABLE
        if match["quotation"] or _LONG_NUMBER.search(match[0]) or _COMPOUND.search(match[0])
        else 0.5
    )

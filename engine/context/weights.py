"""What the sentences of a text are worth, where not all of them can stay."""

from __future__ import annotations

import re
from functools import lru_cache

from ..base.text.sentences import split_sentences

LEAST_OF_WISH = 0.5
"""What a sentence weighs at least that states a goal, a rule, a name or a figure."""

_LOOKED_AT = 1_000
_QUOTATION = r"`[^`]+`|\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』"
_START, _END = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
_NAME = (
    rf"{_START}(?:\w*[A-Za-z0-9]_\w+|[\w-]+\.[A-Za-z]\w{{1,11}}|[a-z]+[A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*|"
    rf"(?!OK{_END})[A-Z]{{2,}}){_END}"
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
"""Where fewer of the characters are letters, it is a line of data: full of figures that nobody has said."""


def sentences_of(text: str) -> tuple[str, ...]:
    """Each on one line."""
    return tuple(" ".join(part.split()) for part in split_sentences(text))


@lru_cache(maxsize=2_048)
def weigh(text: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The sentences of a text, and what each weighs in it: the first and the last somewhat more."""
    sentences = sentences_of(text)
    last = len(sentences) - 1
    return sentences, tuple(
        weight_of(sentence) + (0.5 if index in (0, last) else 0.0) / (1 + len(sentence) / 400)
        for index, sentence in enumerate(sentences)
    )


@lru_cache(maxsize=4_096)
def weight_of(sentence: str) -> float:
    """Figures, names, quotations and words of intent weigh; length costs, and a question wants no more than an answer.

    The words are those of a dozen languages and count for less where nothing is named: people also tell what they never
    did. In any other language the figures and the names alone have to tell.
    """
    beginning = sentence[:_LOOKED_AT]
    details = [*map(_exactness, _EXACT.finditer(beginning))]
    intentions = min(3, sum(1 for _ in _INTENTION.finditer(beginning)))
    intent = (1.0 + 0.5 * intentions) * (1.0 if _UNMISTAKABLE in details else 0.5) if intentions else 0.0
    is_question = sentence.endswith(("?", "？", "؟"))
    weight = min(_MOST_EXACT, sum(details)) + intent - (1.0 if is_question else 0.0)
    if sum(letter.isalpha() or letter == " " for letter in beginning) < _DATA_SHARE * len(beginning):
        weight *= 0.1
    return max(0.0, weight) / (1 + len(sentence) / 400)


def is_lasting(sentence: str) -> bool:
    """Whether it says that something is to hold for good."""
    return bool(_LASTS.search(sentence[:_LOOKED_AT]))


def form_of(sentence: str) -> str:
    """What two sentences have in common that differ in figures and names."""
    return _EXACT.sub("0", sentence[:_LOOKED_AT].casefold())


def figures_of(sentence: str) -> frozenset[str]:
    """The numbers of it that are long enough to mean one thing only."""
    numbers = (match["number"] for match in _EXACT.finditer(sentence[:_LOOKED_AT]))
    return frozenset(number for number in numbers if number and len(number) > 2)


def _exactness(match: re.Match[str]) -> float:
    """What is quoted or has a long number means one thing only; durations and sizes are mostly told, not asked."""
    if match["unit"]:
        return 0.25
    return (
        _UNMISTAKABLE
        if match["quotation"] or _LONG_NUMBER.search(match[0]) or _COMPOUND.search(match[0])
        else 0.5
    )

"""Greetings, thanks, praise, "please" and "could you" around what a person asks for: they order nothing, and belong
into no prompt. They are left out once, before anything is read.
"""

from __future__ import annotations

import re

from .quoted import QUOTED_OR_EMPTY

_PLEASE = r"please|pl[sz]+|bitte(?: ?sch(?:ö|oe)n)?|svp|stp|s['’ ]?il (?:te|vous) pla[iî]t|por ?fa(?:vor|s)?"
_THANKS = (
    r"(?:many |thanks and )?(?:thanks|thank (?:you|u)|cheers)|"
    r"(?:vielen |herzlichen |tausend )?dank(?:e(?: ?sch(?:ö|oe)n)?)?|merci|(?:muchas |mil )?gracias"
)
_SHORT_THANKS = r"谢谢|多谢|拜托|thx|thnx|ty(?:sm)?|お願いします"
"""Said without a comma, too: "30 steps thx"."""
_MUCH = r"so much|very much|a lot|a bunch|in advance|again|sehr|im voraus|beaucoup|d['’]avance|de antemano"
_GREETING = (
    r"(?:hi+|hello|hey|yo|hallo|moin|servus|bonjour|salut|coucou|hola|buenas|good (?:morning|evening|day)|"
    r"guten (?:tag|morgen|abend))(?:[ ,]+(?:there|all|everyone|again|you|zusammen|assistant|à tous|a todos)\b)?"
)
_PRAISE = r"great|perfect|nice|cool|awesome|super|perfekt|prima|parfait|perfecto|genial"
_IN_THOUGHT = (
    r"ok(?:ay)?|alright|all right|oh|ah|oops|sorry|hmm+|um+|uh+|actually|now|but|aber|mais|pero|i mean(?:t)?"
)
_IN_PASSING = (
    r"so|and|well|no|nope|nein|non|doch|also|alors|bueno|bien|"
    r"(?:(?:eine |one |a |une |una )?(?:kurze |quick |small |other )?(?:question|frage|pregunta))"
)
"""Words of an order too, where no comma follows."""
_ASKED = (
    r"(?:would|do) you mind|(?:can|could) (?:you|u|ya|we)|"
    r"(?:would|will) (?:you|u)(?= (?:please|kindly)\b)|(?:can|could|may) i(?= (?:get|have)\b)|"
    r"i(?: would|['’]?d) like you to|i (?:want|need) you to|let['’]?s|"
    r"(?:kannst|könntest) ?du|würdest du(?= bitte\b)|kannste|k(?:ann|önn)\w* (?:sie|wir|ihr)|"
    r"(?:peux|pourrais|peut|pourrait)[ -](?:tu|on)|tu (?:peux|pourrais)|pou(?:vez|rriez)[ -]vous|"
    r"(?:me )?(?:puedes?|podrías?)(?: usted)?"
)
"""Before what is to be done: it is a question by its form alone."""
_SOFTLY = r"please|maybe|perhaps|just|kindly|possibly|bitte|mir|uns|mal|vielleicht|kurz|por favor"
_FOR_AN_ANSWER = (
    r"(?:tell|show) (?:me|us)|let me know|do (?:you|u) know|i(?: would|['’]?d) like to know|i want to know|"
    r"i was wondering|sag\w*(?: mir)?(?: mal)?|wei(?:ß|ss)t du|(?:me )?dire|dis[- ]moi|tu sais|dime|decirme|sabes"
)
_QUESTION = (
    r"how|what(?:['’]?s)?|which|who|where|why|"
    r"wie|was|welche\w*|wer|wo|warum|combien|quel\w*|pourquoi|cuánt\w*|cuál\w*|qué"
)
_SMILE = r"[\s.!~^☺👍\U0001f600-\U0001f60f\U0001f642-\U0001f64f]|[:;]-?[)DP](?!\w)|<3"
_LONGEST = 200
"""Characters that are looked at: at the end, and before a place."""
_LONGEST_ORDER = 4_000
"""Longer messages bring a text of which nothing is left out."""
_LAST = re.compile(
    rf"(?P<mark>[\s,;.!?，。！]*)(?:(?<!\w)(?:{_PLEASE}|{_SHORT_THANKS}|(?P<agreed>ok(?:ay)?)|(?P<thanks>{_THANKS}))(?:\s+(?:{_MUCH}))?"
    rf"(?P<end>(?:\?|{_SMILE})*)|(?:{_SMILE})+)$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"\W*(?:(?:{_THANKS}|thx|ty)(?:\s+(?:{_MUCH}))?\s*[,.!;]+\s|"
    rf"(?:{_PRAISE})(?:[.!]+\s|,\s+(?:(?:but|aber|mais|pero)\b|(?=(?:{_ASKED}|now|jetzt|maintenant|ahora)\b)))|"
    rf"(?:{_GREETING}|{_IN_THOUGHT})(?:\s*[,.!:;]+)?\s|(?:{_IN_PASSING})\s*[,.!:;]+\s|"
    rf"(?:and|so|und)\s+(?=(?:{_ASKED}|{_PLEASE}|{_IN_THOUGHT})\b)|(?:你好|您好)[，,。！!]?)\s*(?=\S)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"(?<!\w)(?:(?:{_PLEASE})(?:\s*,)?\s+|(?P<asks>{_ASKED})\s+(?:(?:{_SOFTLY})\s+)*)(?=\S)", re.IGNORECASE
)
_EASTERN = re.compile(
    r"(?:(?:请(?!问)|麻烦|(?P<asks>能不能|可不可以|能否|可否|(?:可以|能)(?=[^？?]*[吗嘛？?])))你?)+(?:帮我|帮忙)?(?=\S)"
)
_ANSWER = re.compile(
    rf"(?:{_FOR_AN_ANSWER})(?: please| bitte)?[\s,:]+(?=(?:{_QUESTION})\b)|请问[，,]?", re.IGNORECASE
)
_BEGUN = re.compile(
    r"(?:^|[.!?;,\n。！？；，¿¡]|(?<!\w)(?:and|then|but|und|dann|aber|et|puis|mais|y|luego|pero))\s*$",
    re.IGNORECASE,
)
"""Where another order may begin."""
_IN_PROMPT = re.compile(
    r"(?::(?!\d)|\bprompts?\b(?:(?![.!?]\s|\n).)*?\b(?:to|zu|auf|en|à|a|as|with|by|into?)\s)(?:(?![.!?]\s|\n).)*$",
    re.IGNORECASE,
)
"""From where on a text is given."""
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n|[？。！]")
_WRITTEN = re.compile(
    r"\b(?:say\w*|said|read\w*|words?|text|spell\w*|writ\w*|sag\w*|schrift|dit|dice)\W*$", re.IGNORECASE
)
"""Before what is to be read in the picture."""


def without_courtesies(request: str) -> str:
    """The request itself where nothing else is said. "A card that says thank you" keeps its words."""
    text = _without_last(request)
    if len(text) <= _LONGEST_ORDER:
        text = _without_asking(_without_first(text))
    return text if re.search(r"\w", text) else request


def _without_last(text: str) -> str:
    while (found := _LAST.search(text, max(0, len(text) - _LONGEST))) and found[0].strip(" \n.!"):
        before = text[: found.start()]
        is_apart = not found["thanks"] or re.search(r"[,;.!?\n，。！]", found["mark"])
        if not before.strip() or _WRITTEN.search(before) or not is_apart:
            break
        asks = "?" in f"{found['mark']}{found['end']}" and not found["agreed"]
        text = before + ("?" if asks else "." if re.search(r"[.!。！]", found["mark"]) else "")
    return text


def _without_first(text: str) -> str:
    while found := _FIRST.match(text):
        text = text[found.end() :]
    return text


def _without_asking(text: str) -> str:
    """A sentence that is a question by its form alone loses its mark, too."""
    for pattern in (_WITHIN, _EASTERN):
        quoted = [each.span() for each in QUOTED_OR_EMPTY.finditer(text)]
        for found in reversed([*pattern.finditer(text)]):
            start, end = found.span()
            before = text[max(0, start - _LONGEST) : start]
            is_text = any(first <= start < last for first, last in quoted) or _IN_PROMPT.search(before)
            is_meant = _WRITTEN.search(before) or (found["asks"] and not _BEGUN.search(before))
            if is_text or is_meant:
                continue
            rest = text[end:]
            if found["asks"] and not _ANSWER.match(rest):
                rest = _as_order(rest)
            text = text[:start] + rest
    answer = _ANSWER.match(text)
    return text[answer.end() :] if answer else text


def _as_order(text: str) -> str:
    """Its first sentence without the mark of a question."""
    end = _SENTENCE_END.search(text)
    if end is None or end[0] not in "?？":
        return text.rstrip("吗嘛")
    return (
        text[: end.start()].rstrip("吗嘛 ") + ("." if text[end.end() :].strip() else "") + text[end.end() :]
    )

"""Thanks, praise and "please" around what a person asks for: they order nothing, and belong into no prompt."""

from __future__ import annotations

import re

_PLEASE = (
    r"please|pl[sz]|bitte(?: ?sch(?:ö|oe)n)?|svp|stp|s['’ ]?il (?:te|vous) pla[iî]t|por ?fa(?:vor|s)?|谢谢|多谢|拜托|"
    r"thx|thnx|ty(?:sm)?|お願いします"
)
_THANKS = (
    r"(?:many |thanks and )?(?:thanks|thank (?:you|u)|cheers)|"
    r"(?:vielen |herzlichen )?dank(?:e(?: ?sch(?:ö|oe)n)?)?|merci|(?:muchas |mil )?gracias"
)
_MUCH = (
    r"(?:so much|very much|a lot|a bunch|in advance|again|sehr|im voraus|beaucoup|d['’]avance|de antemano)"
)
_LONGEST = 200
"""Characters at the end that are looked at."""
_SMILE = r"[\s.!~^☺👍\U0001f600-\U0001f60f\U0001f642-\U0001f64f]|[:;]-?[)DP](?!\w)|<3"
_LAST = re.compile(
    rf"(?P<mark>[\s,;.!?，。！]*)(?:(?<!\w)(?:{_PLEASE}|(?P<thanks>{_THANKS}))(?:\s+{_MUCH})?(?P<end>(?:\?|{_SMILE})*)|(?:{_SMILE})+)$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"^\W*(?:(?:{_THANKS}|thx|ty)(?:\s+{_MUCH})?\s*[,.!;]+|(?:great|perfect|nice|cool|awesome|super|perfekt|prima|parfait|perfecto|genial)"
    r"(?:[.!]+|,(?=\s+(?:but|now|aber|jetzt|mais|maintenant|pero|ahora)\b)))\s+(?=\S)",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"\b(?:say\w*|said|read\w*|words?|text|spell\w*|writ\w*|sag\w*|schrift|dit|dice)\W*$", re.IGNORECASE
)
"""Before what is to be read in the picture."""


def without_courtesies(request: str) -> str:
    """The request itself where nothing else is said. "A card that says thank you" keeps its words."""
    text = _FIRST.sub("", request)
    while (found := _LAST.search(text, max(0, len(text) - _LONGEST))) and found[0].strip(" \n.!"):
        before = text[: found.start()]
        is_apart = not found["thanks"] or re.search(r"[,;.!?\n，。！]", found["mark"])
        if not before.strip() or _WRITTEN.search(before) or not is_apart:
            break
        asks = "?" in found["mark"] or "?" in (found["end"] or "")
        text = before + ("?" if asks else "." if re.search(r"[.!。！]", found["mark"]) else "")
    return text if re.search(r"\w", text) else request

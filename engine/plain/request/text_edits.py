"""What a request says of a part of a prompt: words put before or behind it, taken out, or put in place of others."""

from __future__ import annotations

import re
from collections.abc import Callable

from .quoted import AROUND, QUOTED, quoted_in

_HERE = "\N{SECTION SIGN}"
"""Stands for the words that name the prompt."""
_ARTICLES = r"(?:the |my |this |our |den |dem |der |des |das |le |la |l['’]|el )*"
_BEGIN = r"(?:beginning|start|front|anfang|début|principio|inicio)"
_END = (
    r"(?:\s+(?:hinzu|ein|an|voran|weg|heraus|raus|too|also|as well))*"
    r"[\s.!]*$"
)
_TEXT, _NEW = r"(?P<text>\S.*?)", r"(?P<new>\S.*?)"
_ADD = (
    r"(?:add|append|put|place|insert|write|include|füg\w*|häng\w*|schreib\w*|setz\w*|ajoute\w*|mets|añad\w*|"
    r"agrega\w*|pon)"
)
_INTO = r"(?:to|into|in|onto|zum|zu|in|im|an|au|dans|à|al|en|(?<!as )a)"
_OUT = r"(?:from|out of|off|in|aus|von|vom|im|du|de|dans|del|en)"
_REMOVE = (
    r"(?:remove|delete|drop|strip|cut|erase|omit|take|get rid of|entfern\w*|streich\w*|lösch\w*|nimm|enlève\w*|"
    r"retire\w*|supprime\w*|quita\w*|elimina\w*|borra\w*|saca\w*)"
)
_REPLACE = (
    r"(?:replace|change|swap|turn|exchange|ersetz\w*|änder\w*|tausch\w*|remplace\w*|change\w*|reemplaza\w*|"
    r"cambia\w*)"
)
_BY = r"(?:with|by|to|into|for|durch|zu|gegen|in|par|en|por|con|a)"


def _compiled(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern + _END, re.IGNORECASE | re.DOTALL) for pattern in patterns]


_PREPENDED = _compiled(
    rf"\b(?:prepend|prefix)\s+{_TEXT}\s+(?:to|before|onto)\s+{_ARTICLES}{_HERE}",
    rf"\bprefix\s+{_ARTICLES}{_HERE}\s+with\s+{_TEXT}",
    rf"\b{_ADD}\s+{_TEXT}\s+(?:(?:at|to|in|on|an|au|al|a)\s+(?:the |den |el |la )?{_BEGIN}\s+"
    r"(?:of|von|vom|du|de|del|des)|in front of|before|ahead of|vor|devant|avant|antes de|delante de)"
    rf"\s*{_ARTICLES}{_HERE}",
    rf"{_HERE}\s+(?:should|must|has to|needs to|shall) (?:start|begin) with\s+{_TEXT}",
    rf"\b(?:start|begin|beginne|commence|empieza)\s+{_ARTICLES}{_HERE}\s+(?:with|mit|par|avec|con)\s+{_TEXT}",
    rf"^\W*(?:at|to) the {_BEGIN} of {_ARTICLES}{_HERE},?\s+{_ADD}\s+{_TEXT}",
)
_APPENDED = _compiled(
    rf"{_HERE}\s+(?:should|must|has to|needs to|shall) end with\s+{_TEXT}",
    rf"\b(?:end|finish)\s+{_ARTICLES}{_HERE}\s+with\s+{_TEXT}",
    rf"\b(?:extend|ergänz\w*|erweiter\w*)\s+{_ARTICLES}{_HERE}\s+(?:with|by|um|mit)\s+{_TEXT}",
    rf"\b{_ADD}\s+{_TEXT}\s+"
    rf"(?:{_INTO}|(?:at|to) the end of|ans ende (?:von|vom|des)|à la fin (?:du|de)|al final (?:del|de))"
    rf"\s+{_ARTICLES}{_HERE}",
    rf"^\W*{_TEXT}\s+(?:should|must|needs to|has to|shall) be (?:added|appended) to {_ARTICLES}{_HERE}",
    rf"^\W*(?:to|zum|zu) {_ARTICLES}{_HERE},?\s+(?:add|append)\s+{_TEXT}",
    rf"{_HERE}\s*[:,]\s*(?:add|append|include|füge?|ajoute[rz]?|añad[ae]|agrega)\s+{_TEXT}",
)
_REMOVED = _compiled(
    rf"\b{_REMOVE}\s+{_TEXT}\s+{_OUT}\s+{_ARTICLES}{_HERE}",
    rf"^\W*(?:from|aus) {_ARTICLES}{_HERE},?\s+{_REMOVE}\s+{_TEXT}",
    rf"{_HERE}\s*[:,]\s*(?:remove|delete|entferne|lösche|supprime[rz]?|quita|elimina)\s+{_TEXT}",
)
_REPLACED = _compiled(
    rf"\b{_REPLACE}\s+{_TEXT}\s+{_BY}\s+{_NEW}\s+(?:in|within|im|dans|en)\s+{_ARTICLES}{_HERE}",
    rf"\b(?:in|im|dans|en)\s+{_ARTICLES}{_HERE},?\s+{_REPLACE}\s+{_TEXT}\s+{_BY}\s+{_NEW}",
    rf"\b{_REPLACE}\s+{_TEXT}\s+(?:in|within|of|from|im|dans|en)\s+{_ARTICLES}{_HERE}\s+{_BY}\s+{_NEW}",
)
_CLEARED = _compiled(
    # Not its node, without which nothing runs; who means that says so.
    rf"\b(?:clear|empty|blank|wipe|leere|vide|vacía|{_REMOVE})(?: out)?\s+{_ARTICLES}{_HERE}",
    rf"\b(?:make|leave|set|keep|should be|lass|mach|laisse|deja)?\s*{_ARTICLES}{_HERE}\s+"
    r"(?:to |to be |should be |soll |as |sein |ist )*(?:empty|blank|nothing|leer|vide|vacío)(?: sein| lassen)?",
)
_WORDY = re.compile(
    r"^(?:the |das |die |le |la |el )?(?:words?|terms?|phrases?|tags?|wörter|wort|begriff|mots?|palabras?)\s+"
    r"(?=[\"“„«'‘]|\S+$)",
    re.IGNORECASE,
)
_BESIDE_QUOTED = re.compile(
    r"\W*(?:(?:and|und|et|y|the|das|die|le|la|les|el|las|words?|terms?|phrases?|tags?|wörter|wort|begriff|mots?|"
    r"palabras?)\b\W*)*",
    re.IGNORECASE,
)
_NO_TEXT = re.compile(r"\b(?:nodes?|lora|input|output|link)\b", re.IGNORECASE)
"""What is added to a workflow."""
_BARE_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?%?")
"""Out of quotes: more of something that is not said."""
_ARTICLE = re.compile(r"^(?:the|an?|out the|das|der|die|den|le|la|les|el|los|las)\s+", re.IGNORECASE)
_JOINED = re.compile(r"\s*,\s*|\s+(?:and|und|et|y)\s+", re.IGNORECASE)
_VAGUE = re.compile(
    r"^(?:it|that|this|them|something|anything|everything|nothing|all|some|more|less|another|"
    r"a better|what|whatever)\b|\?|"
    # What is spoken of, and not written down: a line break, the last word.
    r"^(?:(?:an?|the|one|two|three|some|any|no|more|another|new|other|random|blank|empty|single|extra|first|second|third|"
    r"last|next|few|lots? of|a bit of|bit of|little|und|ein\w*|neue\w*|leere\w*|une?|nouvelle|un[ao]?|nuev[ao])\s+)*"
    r"(?:line[- ]?(?:breaks?|feeds?)?|lines|new ?lines?|breaks?|commas?|dots?|periods?|"
    r"full stops?|(?:semi)?colons?|spaces?|"
    r"blanks?|words?|sentences?|paragraphs?|quot(?:es?|ation marks?)|brackets?|parenthes[ie]s|"
    r"weight(?:s|ing)?|emphasis|"
    r"wildcards?|comments?|details?|variations?|variety|date|adjectives?|keywords?|tags?|tokens?|characters?|letters?|"
    r"emojis?|trigger words?|embeddings?|clip text encode\w*|zeilenumbr\w*|absatz|zeile|komma|wort|leerzeichen|"
    r"saut (?:de|à la) ligne|virgule|mot|salto de línea|coma|palabra)"
    r"(?=\s+(?:between|after|before|behind|to|at|of|in|on|from|saying|about|for|that|which|nach|vor|zwischen|hinter|"
    r"après|avant|entre|después|antes)\b|\W*$)",
    re.IGNORECASE,
)

Edit = Callable[[str], str | None]
"""The new text of an old one; None where what is to go is not in it."""


def edit_said(request: str, start: int, end: int) -> tuple[Edit, int] | None:
    """What happens to the text that the request names from `start` to `end`, and where the words that say it begin;
    None where it speaks of no part of it.
    """
    text = request[:start] + _HERE + request[end:]
    for patterns, edit_of in _KINDS:
        if found := _first(patterns, text):
            return edit_of(found), found.start()
    return None


def _replacing(found: re.Match[str]) -> Edit:
    old, new = _part(found["text"]), _part(found["new"])
    bare = [_ARTICLE.sub("", each) for each in (old, new)]
    ways = ((old, new), (bare[0], bare[1])) if old and new and all(bare) else ()
    return lambda now: next((text for way in ways if (text := _swapped(now, *way)) is not None), None)


def _removing(found: re.Match[str]) -> Edit:
    gone = _parts(found["text"])
    return lambda now: _without(now, gone)


def _first(patterns: list[re.Pattern[str]], text: str) -> re.Match[str] | None:
    return next((found for pattern in patterns if (found := pattern.search(text))), None)


def _nothing(_: str) -> None:
    return None


def _part(said: str) -> str:
    text = _WORDY.sub("", said.strip()).strip(AROUND)
    return "" if _VAGUE.search(text) else text


def _parts(said: str) -> list[list[str]]:
    """What is to go: as it stands, or each of the things that it names."""
    quoted = quoted_in(said)
    whole = _part(said)
    several = [part for each in _JOINED.split(whole) if (part := each.strip(AROUND))]
    bare = _ARTICLE.sub("", whole)
    return [ways for ways in (quoted, [whole] if whole else [], several, [bare] if bare else []) if ways]


def _joining(said: str, *, is_first: bool) -> Edit:
    text = _added_text(said).rstrip(" ,")
    if not text or _NO_TEXT.search(text) or _BARE_NUMBER.fullmatch(said.strip()):
        return _nothing

    def joined(now: str) -> str:
        old = now.strip().lstrip(",").strip() if is_first else now.rstrip(" ,.\n")
        return ", ".join(filter(None, [text, old] if is_first else [old, text]))

    return joined


def _added_text(said: str) -> str:
    """What is quoted, where it is; "" where more is said around it, as of a second prompt."""
    quoted = quoted_in(said)
    if not quoted:
        return _part(said)
    return (
        ", ".join(each.strip() for each in quoted) if _BESIDE_QUOTED.fullmatch(QUOTED.sub(" ", said)) else ""
    )


def _swapped(now: str, old: str, new: str) -> str | None:
    found = re.subn(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, now, flags=re.IGNORECASE)
    return found[0] if found[1] else None


def _without(now: str, ways: list[list[str]]) -> str | None:
    for gone in ways:
        left: str | None = now
        for part in gone:
            left = None if left is None else _without_one(left, part)
        if left is not None:
            return left
    return None


def _without_one(now: str, part: str) -> str | None:
    """An item between commas goes with its comma and its weight, "(fog:1.2)", words within one alone."""
    weighted = rf"\(+\s*{re.escape(part)}\s*(?::\s*[\d.]+\s*)?\)+"
    item = rf"(?:^|(?<=,))[^\S\n]*(?:{weighted}|{re.escape(part)})[^\S\n]*(?:,|(?=\n)|$)"
    words = rf"(?<!\w){re.escape(part)}(?!\w)"
    for pattern in (item, weighted, words):
        left, number = re.subn(pattern, "", now, flags=re.IGNORECASE)
        if number:
            left = re.sub(r"[^\S\n]+(?=,)", "", re.sub(r"[^\S\n]{2,}", " ", left))
            return left.strip().rstrip(",").rstrip()
    return None


_KINDS: list[tuple[list[re.Pattern[str]], Callable[[re.Match[str]], Edit]]] = [
    (_CLEARED, lambda _: lambda _: ""),
    (_REPLACED, _replacing),
    (_PREPENDED, lambda found: _joining(found["text"], is_first=True)),
    (_REMOVED, _removing),
    (_APPENDED, lambda found: _joining(found["text"], is_first=False)),
]

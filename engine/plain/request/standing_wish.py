"""What a person says once and means for all chats: "always answer in German"."""

from __future__ import annotations

import re

from ...text.sentences import sentences_in

_LONGEST = 400
_BEFORE = (
    r"^\W*(?:(?:please|and|so|ok|okay|also|oh|bitte|und|also|s'il (?:te|vous) plaît|por favor|et|y)\W+)*"
)
_FROM_NOW_ON = (
    r"from now on|in (?:all|every|future) chats?|ab (?:jetzt|sofort)|von nun an|in (?:allen|jedem) chats?|"
    r"à partir de maintenant|désormais|a partir de ahora|de ahora en adelante|d'ora in poi|"
    r"从现在起|以后都?|これからは|今後は"
)
_STANDING = re.compile(
    rf"{_BEFORE}(?:always|never|don'?t ever|do not ever|immer|niemals?|stets|toujours|siempre|nunca|"
    r"sempre|(?:请)?(?:总是|永远|始终)|(?:いつも|常に|必ず)|"
    r"remember(?: that)?\b(?=.)|merk(?:e)? dir|retiens|recuerda|(?:请)?记住|覚えて"
    rf"|\w+\W+(?:immer|niemals?|stets|toujours|siempre|sempre)\b)|\b(?:{_FROM_NOW_ON})",
    re.IGNORECASE,
)
"""At the beginning of a sentence, or as its second word after an imperative; what names all chats, anywhere."""


def standing_wish(said: str) -> str:
    """The first sentence that asks for something to hold from now on, "" where none does. No question does."""
    for words in sentences_in(said):
        if _STANDING.search(words) and not words.endswith(("?", "？")) and len(words) <= _LONGEST:
            return words
    return ""


def note_of_standing_wish(said: str) -> str:
    """A line of the reminder for small models, which are asked for nothing that they are not told to do."""
    wish = standing_wish(said).replace("</", "‹/")
    return f"If this is a rule for all chats, call rememberRule with it first: {wish}" if wish else ""

"""What kind of thing a person asks for, where the words of the request leave no doubt: no other is done then."""

from __future__ import annotations

import re
from typing import Literal

from ...tool_result import ToolFailure, failure
from .comparatives import without_comparison

Wish = Literal["know", "undo", "add", "connect", "remove", "set", "run"]

_WORDS: dict[Wish, str] = {
    "add": r"add|insert|put|append|hinzu\w*|füg\w*|einfüg\w*|ajoute\w*|insère\w*|añad\w*|agrega\w*",
    "connect": r"connect|link|wire|plug|attach|verbind\w*|connecte\w*|relie\w*|conect\w*",
    "remove": r"remove|delete|drop|entfern\w*|lösch\w*|supprime\w*|enlève\w*|elimina\w*|quita\w*|borra\w*",
    "set": r"set|change|replace|increase|decrease|raise|lower|bypass|mute|disable|setz\w*|änder\w*|ersetz\w*|chang\w*|"
    r"règle\w*|cambi\w*|pon",
    "run": r"run|start|execute|render|generate|make|create|draw|paint|queue|go|produce|show|see|try|test|again|"
    r"starte\w*|führ\w*|mach\w*|"
    r"erzeug\w*|erstell\w*|mal\w*|lance\w*|exécut\w*|génère\w*|crée\w*|ejecut\w*|genera\w*|crea\w*|haz",
}
_ASKED: dict[Wish, re.Pattern[str]] = {
    wish: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for wish, words in _WORDS.items()
}
_UNDO = re.compile(
    r"^\W*(?:no\W+)?"
    r"(?:(?:that|this|it)(?: was|'s| is| looks?) (?:\w+ )?(?:wrong|bad|worse|right|what i (?:meant|wanted))\W+)?"
    r"(?:(?:now|so)\W+)*"
    r"(?:undo|revert|roll back|take (?:that|it|this) back|go back|(?:mach|nimm) (?:das|es) (?:rückgängig|zurück)|"
    r"rückgängig|annule|défais|deshaz|deshacer)"
    r"(?:\W+(?:that|it|this|again|the|your|my|last|change|changes|edit|step|turn|das|ça|cela|eso))*\W*$",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^\W*(?:(?:and|so)\W+)*"
    r"(?:what|which|how|why|who|where|is|are|does|do (?=i\b|we\b|you\b|they\b|th)|did|explain|describe|tell me|"
    r"summari[sz]e|was|welche\w*|wie|warum|wo|wer|ist|sind|erklär\w*|beschreib\w*|quel\w*|quoi|comment|pourquoi|"
    r"explique\w*|qué|cuál\w*|cómo|cuánt\w*|por qué)\b(?! about| if\b| not\b| don't| wäre)[^.?!\n]*[.?!\s]*$",
    re.IGNORECASE,
)
"""One sentence that begins like a question."""
_DOING = re.compile(
    r"\b(?:fix|repair|solve|correct|use|try|switch|turn|instead|possible|(?:can|could|would) (?:you|we))\b",
    re.IGNORECASE,
)
_TAKEN_AWAY = re.compile(
    r"\b(?:rid|out|away|off|without|take|clear|discard|cut|strip|replace\w*|swap\w*|instead|unused|unneeded|"
    r"ohne|weg|statt|sans|sin)\b",
    re.IGNORECASE,
)
"""Other words that a node may have to go for."""
_CHANGES = ("add", "connect", "remove", "set")
_HOW = {
    "add": "insertNode adds a node at a place, addNode adds one alone",
    "connect": "connectNodes connects two nodes",
    "remove": "removeNode removes a node",
    "set": "setValue changes a value or text, bypassNode switches a node off",
}


def wish_of(request: str) -> set[Wish]:
    """Empty where the words do not tell."""
    if _UNDO.match(request):
        return {"undo"}
    rest = without_comparison(request)
    said = request if rest is None else rest
    found: set[Wish] = {wish for wish, words in _ASKED.items() if words.search(said)}
    if rest is not None:
        found.add("set")
    if _QUESTION.match(request) and not found.intersection(_CHANGES) and not _DOING.search(request):
        return {"know"}
    return found


def against_wish(tool: str, request: str) -> ToolFailure | None:
    """Why a call is not what the person asked for; None where it may be."""
    wish = wish_of(request)
    if wish == {"undo"}:
        return failure("Nothing was done: the user wants your last changes undone.", "Call undoTurn.")
    if wish == {"know"}:
        return failure(
            "Nothing was done: the user asked a question.",
            "Answer it in words, from the open workflow in the newest message. Call no tool.",
        )
    if tool == "runWorkflow" and wish and "run" not in wish:
        ways = "; ".join(_HOW[kind] for kind in _CHANGES if kind in wish)
        return failure(
            "Nothing was run: the user did not ask to run it.",
            f"If what they asked for is done, say so. Else do it: {ways}." if ways else "Answer in words.",
        )
    if tool == "removeNode" and wish and "remove" not in wish and not _TAKEN_AWAY.search(request):
        return failure(
            "Nothing was removed: the user did not ask to remove a node.",
            f"{'; '.join(_HOW[kind] for kind in _CHANGES if kind in wish) or 'Answer in words'}.",
        )
    return None

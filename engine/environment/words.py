"""Names and sentences as the words that a search compares."""

from __future__ import annotations

import re
from itertools import pairwise

_RUN = re.compile(r"[^\W_]+")
_CAMEL_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def parts(text: str) -> list[str]:
    """The words of a name or sentence, camelCase and digits taken apart."""
    found: list[str] = []
    for run in _RUN.findall(text):
        found += _CAMEL_PART.findall(run) if run.isascii() else [run]
    return [part.casefold() for part in found]


def words(text: str) -> list[str]:
    """The parts of a name or sentence, and neighbouring parts of one run also joined.

    "KSamplerAdvanced" gives k, sampler, advanced, ksampler, sampleradvanced, ksampleradvanced, so that
    it is found by the whole name, by a part, and by two parts written as one ("controlnet").
    """
    found: list[str] = []
    for run in _RUN.findall(text):
        single = parts(run)
        found += single
        if len(single) > 1:
            found += [first + second for first, second in pairwise(single)]
        if len(single) > 2:
            found.append(run.casefold())
    return found


def query_words(text: str) -> list[str]:
    """The words that somebody typed, in order and once each, without those that only join others."""
    typed = list(dict.fromkeys(run.casefold() for run in _RUN.findall(text)))
    return [word for word in typed if not _JOINING.fullmatch(word)] or typed


def same_meaning(word: str) -> tuple[str, ...]:
    """Words that node names use for what people call this."""
    other_number = word[:-1] if word.endswith("s") and len(word) > 3 else f"{word}s"
    return (other_number, *_SAME_MEANING.get(word, ()))


def squeezed(text: str) -> str:
    """The letters and digits alone: equal for "Load Checkpoint", "load_checkpoint" and "LoadCheckpoint"."""
    return "".join(_RUN.findall(text)).casefold()


_JOINING = re.compile(
    "a|an|and|any|are|by|can|for|from|how|i|in|into|is|it|me|my|nodes?|of|on|or|that|the|to|with"
)

_SAME_MEANING = {
    "blank": ("empty",),
    "solid": ("empty",),
    "colour": ("color",),
    "picture": ("image",),
    "photo": ("image",),
    "img": ("image",),
    "txt": ("text",),
    "prompt": ("text",),
    "resize": ("scale",),
    "show": ("preview",),
    "display": ("preview",),
    "open": ("load",),
    "read": ("load",),
    "write": ("save",),
    "export": ("save",),
    "join": ("concatenate", "combine"),
    "merge": ("combine",),
}

"""Tokens of names and sentences for searches."""

from __future__ import annotations

import re
from itertools import islice, pairwise

_BEGINNING = 40
_INFLECTION = re.compile(r"(?<=[^\W_]{3})(?:e?s|e?d|ing|e)$")
_TAG = re.compile(r"<[^<>]*>")
_RUN = re.compile(r"[^\W_]+")
_CAMEL_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def parts(text: str) -> list[str]:
    """Split a name or sentence into lower-case words, also at camelCase and digits."""
    return [part for run in _RUN.findall(text) for part in _parts_of_run(run)]


def _parts_of_run(run: str) -> list[str]:
    if _is_one_part(run):
        return [run]
    return [part.casefold() for part in _CAMEL_PART.findall(run)] if run.isascii() else [run.casefold()]


def _is_one_part(run: str) -> bool:
    return run.isascii() and (run.isdigit() or (run.isalpha() and run.islower()))


def words(text: str) -> list[str]:
    """Return the parts of a name or sentence, and also neighboring parts of one run joined.

    "KSamplerAdvanced" gives k, sampler, advanced, ksampler, sampleradvanced, ksampleradvanced, so that it is found by
    the whole name, by a part, and by two parts written as one ("controlnet").
    """
    forms = [_negated_term(word) for word in unwanted_words(text)]
    for run in _RUN.findall(text):
        if _is_one_part(run):
            forms.append(run)
            continue
        single = _parts_of_run(run)
        forms += single
        if len(single) > 1:
            forms += [first + second for first, second in pairwise(single)]
        if len(single) > 2:
            forms.append(run.casefold())
    return forms


def strip_inflection(word: str) -> str:
    """Return what the inflections of a word share: animates, animated and animating, but not anime or animation."""
    return _INFLECTION.sub("", word)


def first_words(description: str) -> str:
    """Return the first 40 words of a description without tags: a whole page, as some packages have, would hide them."""
    runs = _RUN.finditer(_TAG.sub(" ", description))
    return " ".join(run[0] for run in islice(runs, _BEGINNING))


def query_words(text: str) -> list[str]:
    """Return the words of a query, in order and once each, without stop words, unwanted words and amounts."""
    return list(query_runs(text))


def query_runs(text: str) -> dict[str, str]:
    """Return the same words, each with its first spelling in the query: camelCase tells its parts."""
    wanted = _RUN.findall(_AMOUNT.sub(" ", _UNWANTED.sub(" ", text))) or _RUN.findall(text)
    runs = {run.casefold(): run for run in reversed(wanted)}
    typed = {word: runs[word] for word in map(str.casefold, wanted)}
    return {word: run for word, run in typed.items() if not _JOINING.fullmatch(word)} or typed


def unwanted_words(text: str) -> frozenset[str]:
    """Return the words behind "without" and the like."""
    return frozenset(word.casefold() for word in _UNWANTED.findall(text))


def negated_terms(text: str) -> list[str]:
    """Return the terms that find texts which say what they do without: "a value without wires"."""
    return sorted(map(_negated_term, unwanted_words(text)))


def _negated_term(word: str) -> str:
    return f"without{word.removesuffix('s')}"


def requested_outputs(text: str) -> frozenset[str]:
    """Return the words of X in "get X of Y"."""
    match = _GET.search(text)
    return frozenset(query_words(match[1])) if match else frozenset()


def squeeze(text: str) -> str:
    """Return the letters and digits in lower case: equal for "Load Checkpoint" and "load_checkpoint"."""
    return "".join(_RUN.findall(text)).casefold()


_UNWANTED = re.compile(
    r"(?<!\bor )\b(?:without|no|not|except)\s+(?:(?:an?|any|the|using)\s+)*((?![^\W_]+ing\b)[^\W_]+)",
    re.IGNORECASE,
)
# A number behind such a word is an amount ("by 1.5"), not a version ("sd 1.5").
_AMOUNT = re.compile(r"\b(?:at|by|in|than|to|with)\s+\d+(?:[.,]\d+)?\b", re.IGNORECASE)
_GET = re.compile(
    r"\b(?:get|read|find out|extract|measure|what is)\s+((?:[^\W_]+\s+){1,4}?)(?:of|from|out of)\b",
    re.IGNORECASE,
)
_JOINING = re.compile(
    "a|all|allows?|also|an|and|any|are|as|at|based|be|by|can|could|designed|do|does|for|from|get|give|given|have|how|i|if|"
    "in|into|is|it|its|let|lets|like|make|makes|me|my|need|nodes?|of|on|once|or|other|please|set|so|some|something|specified|take|takes|"
    "that|the|them|then|there|these|this|to|use|used|using|want|way|what|when|where|which|will|with|without|would|you|your"
)

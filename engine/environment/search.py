"""Ranked search over node types."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import zip_longest
from math import log

from .node_definition import NodeDefinition
from .words import parts, query_words, same_meaning, squeezed, words

_NAME, _DISPLAY_NAME, _CATEGORY, _INPUT, _TYPE, _DESCRIPTION = 10.0, 9.0, 4.0, 2.0, 2.5, 3.0
_EXACT, _SAME, _PREFIX, _CLOSE, _INSIDE = 1.0, 0.9, 0.7, 0.5, 0.4
_WHOLE_NAME, _COVERED = 1_000.0, 8.0
_MAX_QUERY_WORDS = 12


@dataclass(frozen=True)
class NodeIndex:
    """For each word, the node types that have it and how much it says about them."""

    definitions: tuple[NodeDefinition, ...]
    postings: Mapping[str, Mapping[int, float]]
    vocabulary: tuple[str, ...]
    by_name: Mapping[str, tuple[int, ...]]

    @classmethod
    def build(cls, definitions: Iterable[NodeDefinition]) -> NodeIndex:
        ordered = tuple(definitions)
        postings: dict[str, dict[int, float]] = {}
        by_name: dict[str, list[int]] = {}
        for number, definition in enumerate(ordered):
            for word, weight in _weighted_words(definition).items():
                postings.setdefault(word, {})[number] = weight
            for name in dict.fromkeys((squeezed(definition.type), squeezed(definition.display_name))):
                by_name.setdefault(name, []).append(number)
        return cls(
            definitions=ordered,
            postings=postings,
            vocabulary=tuple(sorted(postings)),
            by_name={name: tuple(numbers) for name, numbers in by_name.items()},
        )

    def search(self, query: str) -> list[NodeDefinition]:
        """All node types that match, best first: those that match more of the words, then current ones."""
        asked = query_words(query)[:_MAX_QUERY_WORDS]
        scores: dict[int, float] = {}
        matched: dict[int, int] = {}
        for word in asked:
            for number, score in self._matches(word).items():
                scores[number] = scores.get(number, 0.0) + score
                matched[number] = matched.get(number, 0) + 1
        for number in self._named_like(query, is_known=any(word in self.postings for word in asked)):
            scores[number] = scores.get(number, 0.0) + _WHOLE_NAME
            matched[number] = len(asked)
        meant = {*asked, *(other for word in asked for other in same_meaning(word))}

        def rank(number: int) -> tuple[int, bool, float, int, str]:
            definition = self.definitions[number]
            score = (scores[number] + _COVERED * _covered(definition, meant)) * _standing(definition)
            is_last = definition.is_deprecated and definition.type != query
            return (-matched[number], is_last, -score, len(definition.type), definition.type)

        return [self.definitions[number] for number in sorted(scores, key=rank)]

    def named(self, name: str) -> list[NodeDefinition]:
        """The types whose name or display name is this one, but for case, spaces and punctuation."""
        return [self.definitions[number] for number in self.by_name.get(squeezed(name), ())]

    def closest(self, name: str, *, limit: int = 5) -> list[str]:
        """Names of installed types that somebody may have meant: spelled alike, or made of the same words."""
        spelled = [
            self.definitions[number].type
            for match in get_close_matches(squeezed(name), list(self.by_name), n=limit, cutoff=0.7)
            for number in self.by_name[match]
        ]
        found = [definition.type for definition in self.search(" ".join(parts(name)))[:limit]]
        taken_in_turn = (one for pair in zip_longest(spelled, found) for one in pair if one)
        return list(dict.fromkeys(taken_in_turn))[:limit]

    def _named_like(self, query: str, *, is_known: bool) -> tuple[int, ...]:
        name = squeezed(query)
        if name in self.by_name or is_known or len(name) < 5:
            return self.by_name.get(name, ())
        close = get_close_matches(name, list(self.by_name), n=1, cutoff=0.85)
        return self.by_name[close[0]] if close else ()

    def _matches(self, word: str) -> dict[int, float]:
        """How well each node type matches one word: the word itself, else longer words, else near ones."""
        best: dict[int, float] = {}
        for term, quality in self._terms(word).items():
            for number, weight in self.postings[term].items():
                best[number] = max(best.get(number, 0.0), weight * quality)
        rarity = 1.0 + log(1 + len(self.definitions) / (len(best) or 1)) / 4
        return {number: score * rarity for number, score in best.items()}

    def _terms(self, word: str) -> dict[str, float]:
        terms = {term: _SAME for term in same_meaning(word) if term in self.postings}
        if word in self.postings:
            terms[word] = _EXACT
        start = bisect_left(self.vocabulary, word)
        for term in self.vocabulary[start : start + 200]:
            if not term.startswith(word):
                break
            terms.setdefault(term, _PREFIX)
        if not terms and len(word) >= 3:
            terms = {term: _INSIDE for term in self.vocabulary if word in term}
        if not terms and len(word) >= 4:
            inner = [part for part in parts(word) if part in self.postings and len(part) > 1]
            terms = dict.fromkeys(inner or get_close_matches(word, self.vocabulary, n=3, cutoff=0.75), _CLOSE)
        return terms


def _weighted_words(definition: NodeDefinition) -> dict[str, float]:
    fields = [
        (_NAME, definition.type),
        (_DISPLAY_NAME, definition.display_name),
        (_CATEGORY, definition.category),
        (_DESCRIPTION, definition.description),
        *((_INPUT, name.name) for name in definition.inputs),
        *((_TYPE, output.type) for output in definition.outputs),
        (_TYPE, definition.package or ""),
    ]
    weights: dict[str, float] = {}
    for weight, text in fields:
        for word in words(text):
            weights[word] = max(weights.get(word, 0.0), weight)
    return weights


def _covered(definition: NodeDefinition, meant: set[str]) -> float:
    """The share of a node's own name that was asked for: SaveImage before SaveImageDataSetToFolder."""
    return max(
        sum(part in meant for part in own) / len(own)
        for own in (parts(definition.type) or [""], parts(definition.display_name) or [""])
    )


def _standing(definition: NodeDefinition) -> float:
    if definition.is_experimental:
        return 0.8
    return 1.2 if definition.is_basic else 1.0

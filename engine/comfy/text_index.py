"""Full text search in memory (SQLite FTS5) with synonyms and spelling correction."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import inf, log
from threading import Lock

from .spelling import Spelling
from .synonyms import conversions, phrase_synonyms, synonyms
from .words import negated_terms, parts, query_runs, strip_inflection, words

_PREFIX, _SAME, _CONVERSION, _SAME_STEM = 0.6, 0.5, 0.5, 0.3
_MOST_BY_MEANING = 2
_ALL_WORDS = 1.25
_MAX_QUERY_WORDS = 12
_SHORTEST_PREFIX = 3
_MAX_COLUMNS = 8
_CREATE = """CREATE VIRTUAL TABLE entry USING fts5(
    one, two, three, four, five, six, seven, eight, tokenize = 'porter unicode61'
)"""
_INSERT = """INSERT INTO entry(rowid, one, two, three, four, five, six, seven, eight)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_SET_WEIGHTS = "INSERT INTO entry(entry, rank) VALUES ('rank', ?)"
_RANKED = "SELECT rowid, -rank FROM entry WHERE entry MATCH ?"


@dataclass(frozen=True)
class TextMatches:
    """Scores by entry number, and the words that the query meant: as written, corrected, and their synonyms.

    `coverage` is the part of the query that an entry matches, from 0 to 1. A rare word weighs more than a frequent
    one, and a word that no entry has weighs most; a corrected word counts by its similarity.
    """

    scores: Mapping[int, float]
    meanings: frozenset[str]
    coverage: Mapping[int, float]


@dataclass(frozen=True)
class TextIndex:
    """A full text index of numbered entries. Searches may come from any thread."""

    spelling: Spelling
    entries: int
    forms: Mapping[str, frozenset[int]] = field(repr=False)
    """The entries of each word without its inflection: FTS5's stemmer takes "anime" and "animate" for one word."""
    _database: sqlite3.Connection = field(repr=False, compare=False)
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    @classmethod
    def build(
        cls,
        entries: Iterable[Sequence[str]],
        *,
        weights: Sequence[float],
        yield_gil: Callable[[], None] = lambda: None,
    ) -> TextIndex:
        """Index the entries: one text for each weight, at most eight; `yield_gil` is called often."""
        database = sqlite3.connect(":memory:", check_same_thread=False)
        database.execute(_CREATE)
        database.execute(_SET_WEIGHTS, (f"bm25({', '.join(map(str, weights))})",))
        blanks = [""] * (_MAX_COLUMNS - len(weights))
        having: defaultdict[str, list[int]] = defaultdict(list)
        count = 0
        for number, texts in enumerate(entries):
            columns = [words(text) for text in texts]
            database.execute(_INSERT, (number, *map(" ".join, columns), *blanks))
            for word in set[str]().union(*columns):
                having[word].append(number)
            count += 1
            yield_gil()
        forms: defaultdict[str, frozenset[int]] = defaultdict(frozenset)
        for word, numbers in having.items():
            forms[strip_inflection(word)] |= frozenset(numbers)
            yield_gil()
        return cls(Spelling.build(having, yield_gil=yield_gil), count, dict(forms), database)

    def find(self, query: str, *, is_for_nodes: bool = True) -> TextMatches:
        """Return all entries that match any word. Matching all words counts more than matching one of them well.

        With `is_for_nodes`, phrases also stand for what does them: "text to image" for a latent.
        """
        terms = list(dict.fromkeys(chain(*self.terms(query).values())))[:_MAX_QUERY_WORDS]
        scores: dict[int, float] = {}
        match_counts: Counter[int] = Counter()
        matched: dict[int, float] = {}
        asked = 0.0
        meanings: set[str] = set()
        for word in terms:
            best: dict[int, float] = {}
            most_alike = 0.0
            for reading, likeness, matches in self._readings(word):
                most_alike = max(most_alike, likeness)
                _keep_better(best, matches, likeness)
                meanings.update((reading, *synonyms(reading)))
            _add(scores, best)
            match_counts.update(best.keys())
            rarity = log(1 + self.entries / (1 + len(best)))
            asked += rarity
            _add(matched, dict.fromkeys(best, rarity * most_alike))
        for word in negated_terms(query):
            _add(scores, self._scores([word]))
        for word in phrase_synonyms(query) if is_for_nodes else ():
            _add(scores, self._scores([word]))
        for phrases in conversions(query):
            _add(scores, self._scores(phrases), _CONVERSION)
        for number, count in match_counts.items():
            scores[number] *= (count / len(terms)) ** _ALL_WORDS
        coverage = {number: amount / asked for number, amount in matched.items()}
        return TextMatches(scores, frozenset(meanings), coverage)

    def terms(self, query: str) -> dict[str, list[str]]:
        """Return by word of the query what is searched for: the word, or the parts of a name that no entry has."""
        return {word: self._apart(word, run) for word, run in query_runs(query).items()}

    def _apart(self, word: str, run: str) -> list[str]:
        """Return the parts of a compound word, or the word itself.

        A word that resembles a known one may be a misspelling of it, unless each of its parts is a known word.
        """
        pieces = [part for part in parts(run) if len(part) > 1]
        if len(pieces) < 2 or self._matches(word):
            return [word]
        return pieces if self.knows(pieces) or not self.spelling.closest(word) else [word]

    def knows(self, terms: Iterable[str]) -> bool:
        """Return whether there are entries for each term or for its synonyms."""
        return all(self._matches(term) for term in terms)

    def _readings(self, word: str) -> Iterator[tuple[str, float, dict[int, float]]]:
        """Yield the word with its matches and 1.0; else its corrections with theirs and a likeness."""
        matches = self._matches(word)
        if matches:
            yield word, 1.0, matches
            return
        for close, similarity in self.spelling.closest(word).items():
            yield close, similarity**2, self._matches(close)

    def _matches(self, word: str) -> dict[int, float]:
        """Return how well each entry matches a word: the word itself, else a prefix of others, and synonyms.

        Synonyms are several and often rarer, so their score is capped relative to the best match of the word itself.
        """
        best = self._scores([word])
        if not best and len(word) >= _SHORTEST_PREFIX:
            _keep_better(best, self._scores([word], is_prefix=True), _PREFIX)
        if same := synonyms(word):
            most = max(best.values(), default=inf) * _MOST_BY_MEANING
            by_meaning = self._scores(same).items()
            _keep_better(best, {number: min(score * _SAME, most) for number, score in by_meaning}, 1.0)
        return best

    def _scores(self, alternatives: Collection[str], *, is_prefix: bool = False) -> dict[int, float]:
        """Return the scores by entry, reduced for entries that share only a stem where others have an inflection of
        the words.
        """
        query = " OR ".join(f'"{word}"*' if is_prefix else f'"{word}"' for word in alternatives)
        with self._lock:
            scores = dict(self._database.execute(_RANKED, (query,)).fetchall())
        if is_prefix:
            return scores
        present = frozenset[int]().union(*(self._having(words(each)) for each in alternatives))
        if not present:
            return scores
        return {
            number: score if number in present else score * _SAME_STEM for number, score in scores.items()
        }

    def _having(self, phrase: Sequence[str]) -> frozenset[int]:
        entries = [self.forms.get(strip_inflection(word), frozenset()) for word in phrase]
        return entries[0].intersection(*entries[1:]) if entries else frozenset()


def _add(scores: dict[int, float], more: Mapping[int, float], share: float = 1.0) -> None:
    for number, score in more.items():
        scores[number] = scores.get(number, 0.0) + score * share


def _keep_better(best: dict[int, float], other: Mapping[int, float], quality: float) -> None:
    for number, score in other.items():
        best[number] = max(best.get(number, 0.0), score * quality)

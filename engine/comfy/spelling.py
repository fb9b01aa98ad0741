"""Spelling correction: known words that share trigrams with a word, by edit distance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest

_SHORTEST = 4
_COMPARED = 60
_ALIKE = 0.68


@dataclass(frozen=True)
class Spelling:
    words: tuple[str, ...]
    by_trigram: Mapping[str, tuple[int, ...]]

    @classmethod
    def build(cls, words: Iterable[str], *, yield_gil: Callable[[], None] = lambda: None) -> Spelling:
        vocabulary = tuple(sorted({word for word in words if len(word) >= _SHORTEST}))
        by_trigram: dict[str, list[int]] = {}
        for number, word in enumerate(vocabulary):
            for trigram in _trigrams(word):
                by_trigram.setdefault(trigram, []).append(number)
            yield_gil()
        return cls(vocabulary, {trigram: tuple(numbers) for trigram, numbers in by_trigram.items()})

    def closest(self, word: str, *, limit: int = 3) -> dict[str, float]:
        """Return up to `limit` known words with their similarity, from 0 to 1, best first."""
        if len(word) < _SHORTEST:
            return {}
        shared_trigrams: Counter[int] = Counter()
        for trigram in _trigrams(word):
            shared_trigrams.update(self.by_trigram.get(trigram, ()))
        likely = nlargest(
            _COMPARED,
            shared_trigrams,
            key=lambda number: shared_trigrams[number] / (len(word) + len(self.words[number])),
        )
        alike = {self.words[number]: similarity(word, self.words[number]) for number in likely}
        best = sorted(alike, key=lambda candidate: (-alike[candidate], candidate))[:limit]
        return {candidate: alike[candidate] for candidate in best if alike[candidate] >= _ALIKE}


def similarity(first: str, second: str) -> float:
    """Return 1 for equal words and 0 for words without a common letter; a swap of neighbors counts as one mistake."""
    longer = max(len(first), len(second)) or 1
    return 1 - _distance(first, second) / longer


def _distance(first: str, second: str) -> int:
    """Return the Damerau-Levenshtein distance (optimal string alignment)."""
    two_above: list[int] = []
    above = list(range(len(second) + 1))
    for row, letter in enumerate(first, 1):
        current = [row]
        for column, other in enumerate(second, 1):
            best = min(above[column] + 1, current[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == second[column - 2] and other == first[row - 2]:
                best = min(best, two_above[column - 2] + 1)
            current.append(best)
        two_above, above = above, current
    return above[-1]


def _trigrams(word: str) -> set[str]:
    """Return the trigrams of the word between blanks, so that its beginning and end count."""
    text = f" {word} "
    return {text[start : start + 3] for start in range(len(text) - 2)}

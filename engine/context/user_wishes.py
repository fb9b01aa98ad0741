"""The requests of a user in a long conversation, shortened to their wishes, each with its handle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from ..base.text.clip import clip
from .key_sentences import (
    GAP,
    LEAST_OF_WISH,
    LOOKED_AT,
    focus_words,
    is_lasting,
    sentence_figures,
    sentence_form,
    sentence_weight,
    weigh,
    weightiest,
    with_gaps,
)
from .shorten import head_and_tail

_HANDLE = 7
"""Characters of `u123: ` and the end of the line."""
_LONGEST_SENTENCE = 240
_LEAST_ROOM = 24
_BEST_OF_MESSAGE, _OF_FOCUS, _EDGE = 0.25, 5.0, 20.0
_FULFILLED, _OVERRULED, _NO_WISH = 0.25, 0.5, 6.0
_MOST_OF_A_FORM = 2
_CLAUSE = re.compile(r"(?<=[,;:])\s+|(?<=[，；：、])|\s+[–—-]\s+")


@dataclass(frozen=True)
class _Sentence:
    """A sentence: `place` is that of its message, and `index` its own in it. A wish weighs at least `LEAST_OF_WISH`.

    `later` is the place and index of a wish that overrules it, without which it would be untrue.
    """

    place: int
    index: int
    text: str
    weight: float
    form: str
    figures: frozenset[str]
    rank: float = 0.0
    later: tuple[int, int] | None = None

    @property
    def is_wish(self) -> bool:
        return self.weight >= LEAST_OF_WISH


class UserWishes:
    """The messages of a user, as `(number, text)`. `worked` are those whose turns changed or ran something.

    If not everything fits, sentences without a wish are dropped first, then wishes that a later one overrules, then
    fulfilled ones, the oldest first. The first and the newest message always stay.
    """

    def __init__(
        self, requests: Sequence[tuple[int, str]], *, worked: Collection[int] = (), focus: str = ""
    ) -> None:
        self._requests = requests
        self._worked = worked
        self._focus = focus_words(focus)

    @cached_property
    def wishes_size(self) -> int:
        """The characters that all wishes take."""
        wishes = [each for each in self._order if each.is_wish]
        return sum(len(wish.text) + 3 for wish in wishes) + _HANDLE * len({wish.place for wish in wishes})

    def lines(self, characters: int) -> list[str]:
        """Return a line for each message, in about so many characters, and one that names those left out."""
        if sum(len(text) + _HANDLE for _, text in self._requests) <= characters:
            return [f"u{number}: {_on_one_line(text)}" for number, text in self._requests]
        selection = self._select(characters)
        lines: list[str] = []
        missing = [number for place, (number, _) in enumerate(self._requests) if place not in selection]
        for place, (number, _) in enumerate(self._requests):
            if place in selection:
                lines.append(f"u{number}: {self._shown(place, selection[place])}")
            elif number == missing[0]:
                lines.append(f"u{number} to u{missing[-1]}: left out here, {len(missing)} in all")
        return lines

    def _select(self, characters: int) -> dict[int, dict[int, str]]:
        """Return the shown sentences of each message, by place and index."""
        selection: dict[int, dict[int, str]] = {}
        room = characters - len("u100 to u200: left out here, 100 in all\n")
        for sentence in self._order:
            if room < _LEAST_ROOM and sentence.rank < _EDGE / 2:
                break
            text = sentence.text
            cost = len(text) + 3 + (_HANDLE if sentence.place not in selection else 0)
            if cost > room and sentence.rank > _EDGE / 2 and sentence.place not in selection:
                text = clip(text, max(_LEAST_ROOM, room // 2 - _HANDLE))
                cost = len(text) + _HANDLE
            elif cost > room or (
                sentence.later and sentence.later[1] not in selection.get(sentence.later[0], ())
            ):
                continue
            selection.setdefault(sentence.place, {})[sentence.index] = text
            room -= cost
        return selection

    def _shown(self, place: int, selection: dict[int, str]) -> str:
        count = len(self._sentences[place])
        return with_gaps([selection.get(index, "") for index in range(count)], sorted(selection))

    @cached_property
    def _sentences(self) -> list[list[_Sentence]]:
        return [
            [
                replace(each, place=place, weight=each.weight + self._focus_weight(each.text))
                for each in _sentences_of(text)
            ]
            for place, (_, text) in enumerate(self._requests)
        ]

    @cached_property
    def _order(self) -> list[_Sentence]:
        """All sentences, the most important first."""
        newest: dict[str, _Sentence] = {}
        order: list[_Sentence] = []
        for sentences in reversed(self._sentences):
            ranked = [_rank_below(each, newest) for each in self._rank_all(sentences)]
            order += ranked
            for each in (each for each in ranked if each.is_wish):
                for key in (each.form, *each.figures):
                    newest.setdefault(key, each)
        return sorted(order, key=lambda each: (-each.rank, -each.place, each.index))

    def _rank_all(self, sentences: Sequence[_Sentence]) -> list[_Sentence]:
        """Return the sentences of one message with their ranks."""
        best = max(sentences, key=lambda each: each.weight, default=None)
        return [
            replace(each, rank=self._rank(each, is_best=each is best))
            for each in sentences
            if each.text != GAP
        ]

    def _rank(self, sentence: _Sentence, *, is_best: bool) -> float:
        rank = sentence.weight
        if not sentence.is_wish:
            rank -= _NO_WISH
        elif self._requests[sentence.place][0] in self._worked and not is_lasting(sentence.text):
            rank -= _FULFILLED
        if is_best:
            rank += _EDGE if sentence.place in (0, len(self._requests) - 1) else _BEST_OF_MESSAGE
        return rank

    def _focus_weight(self, sentence: str) -> float:
        small_sentence = sentence.lower() if self._focus else ""
        return _OF_FOCUS * sum(word in small_sentence for word in self._focus)


def _rank_below(sentence: _Sentence, newest: Mapping[str, _Sentence]) -> _Sentence:
    """Return the sentence ranked below a later wish of the same form, or with all of its figures."""
    if not sentence.is_wish or sentence.rank > _EDGE / 2:
        return sentence
    later = newest.get(sentence.form)
    if later is None and sentence.figures and sentence.figures <= newest.keys():
        later = min((newest[figure] for figure in sentence.figures), key=lambda each: each.rank)
    if later is None:
        return sentence
    rank = min(sentence.rank, later.rank) - _OVERRULED
    return replace(sentence, rank=rank, later=(later.place, later.index))


@lru_cache(maxsize=1_024)
def _sentences_of(text: str) -> tuple[_Sentence, ...]:
    """Return the sentences of a message; many lines that differ only in figures and names are no wishes."""
    texts, weights = weigh(head_and_tail(text, LOOKED_AT, f"\n{GAP}\n"))
    forms = [*map(sentence_form, texts)]
    counts = Counter(forms)
    return tuple(
        _Sentence(
            0,
            index,
            _clauses(each),
            weight if counts[form] <= _MOST_OF_A_FORM else 0.0,
            form,
            sentence_figures(each),
        )
        for index, (each, weight, form) in enumerate(zip(texts, weights, forms, strict=True))
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _clauses(sentence: str) -> str:
    """Return a very long sentence as its weightiest clauses."""
    if len(sentence) <= _LONGEST_SENTENCE:
        return sentence
    clauses = _CLAUSE.split(sentence)
    return weightiest(clauses, [*map(sentence_weight, clauses)], _LONGEST_SENTENCE)

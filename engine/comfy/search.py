"""Ranked search over node types, also by their everyday names.

These come from two files: names of ComfyUI's own types, and of those of well-known packages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from heapq import nlargest
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType

from .node_definition import NodeDefinition
from .node_input import NodeInput, flatten_inputs
from .synonyms import synonyms
from .text_index import TextIndex
from .words import first_words, parts, requested_outputs, squeeze, unwanted_words, words

_WEIGHTS = (8.0, 8.0, 6.0, 3.0, 1.5, 3.0, 1.0, 2.5)
_WHOLE_NAME, _NAMED_SHARE = 1_000.0, 5.0
_RANKED_BY_NAME = 300
_UNWANTED, _PAID, _GIVES = 0.2, 0.6, 0.6
_LEAST_COVERAGE, _SURE, _LEAST_SCORE = 0.3, 0.6, 0.17

WORDS_FILE = Path(__file__).with_name("plain_words.txt")
PACKAGES_FILE = WORDS_FILE.with_name("package_words.txt")


@dataclass(frozen=True)
class NodeMatches:
    """The node types that match, best first.

    `unnamed` are words of the query that no match has in its names, where no match is sure: then these are only the
    nearest.
    """

    definitions: list[NodeDefinition]
    unnamed: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeIndex:
    """A full text index of node types in memory. Searches may come from any thread."""

    definitions: tuple[NodeDefinition, ...]
    by_name: Mapping[str, tuple[int, ...]]
    name_parts: tuple[tuple[frozenset[str], ...], ...]
    outputs: tuple[frozenset[str], ...]
    replaced_by: Mapping[str, str]
    _texts: TextIndex = field(repr=False, compare=False)

    @classmethod
    def build(
        cls,
        definitions: Iterable[NodeDefinition],
        *,
        help_text: Callable[[str], str] = lambda _: "",
        replaced_by: Mapping[str, str] = MappingProxyType({}),
        yield_gil: Callable[[], None] = lambda: None,
    ) -> NodeIndex:
        """Index node types; `help_text` gives the first paragraph of a type's help page, and `yield_gil` is called
        often.
        """
        entries = tuple(definitions)
        by_name: dict[str, list[int]] = {}
        name_parts: list[tuple[frozenset[str], ...]] = []
        outputs = []
        for number, definition in enumerate(entries):
            name_parts.append(_name_parts(definition))
            outputs.append(_output_words(definition))
            for name in dict.fromkeys((squeeze(definition.type), squeeze(definition.display_name))):
                by_name.setdefault(name, []).append(number)
            yield_gil()
        return cls(
            definitions=entries,
            by_name={name: tuple(numbers) for name, numbers in by_name.items()},
            name_parts=tuple(name_parts),
            outputs=tuple(outputs),
            replaced_by=replaced_by,
            _texts=TextIndex.build(
                (_texts(definition, help_text(definition.type)) for definition in entries),
                weights=_WEIGHTS,
                yield_gil=yield_gil,
            ),
        )

    def search(self, query: str) -> list[NodeDefinition]:
        """Return all node types that match, best first."""
        return self.find(query).definitions

    def find(self, query: str, *, fits: Callable[[NodeDefinition], bool] = lambda _: True) -> NodeMatches:
        """Return the matches that pass `fits`, without weak ones, and the query's words that none of them names.

        A match is weak if it covers much less of the query than the best one does.
        """
        matches = self._texts.find(query)
        fitting = {number for number in matches.scores if fits(self.definitions[number])}
        coverages = {number: matches.coverage.get(number, 0.0) for number in fitting}
        best_coverage = max(coverages.values(), default=0.0)
        best_score = max((matches.scores[number] for number in fitting), default=0.0)
        unwanted, outputs = unwanted_words(query), requested_outputs(query)
        scores = {
            number: matches.scores[number] * self._worth(number, unwanted, outputs)
            for number, coverage in coverages.items()
            if coverage >= _SURE * best_coverage
            or (
                coverage >= _LEAST_COVERAGE * best_coverage
                and matches.scores[number] >= _LEAST_SCORE * best_score
            )
        }
        for number, new in self._replacements(scores):
            if fits(self.definitions[new]):
                scores[new] = max(scores.get(new, 0.0), scores[number])
        for number in self.by_name.get(squeeze(query), ()):
            if not fits(self.definitions[number]):
                continue
            scores[number] = scores.get(number, 0.0) + _WHOLE_NAME

        def rank(number: int) -> tuple[bool, float, int, str]:
            definition = self.definitions[number]
            named_share = max(len(own & matches.meanings) / len(own) for own in self.name_parts[number])
            is_last = self._is_old(definition) and definition.type != query
            return (
                is_last,
                -scores[number] - _NAMED_SHARE * named_share,
                len(definition.type),
                definition.type,
            )

        likely = nlargest(_RANKED_BY_NAME, scores, key=scores.__getitem__)
        rest = scores.keys() - set(likely)
        ranked = [*sorted(likely, key=rank), *sorted(rest)]
        unnamed: tuple[str, ...] = ()
        if best_coverage < _SURE and not self.by_name.get(squeeze(query)):
            types = (self.definitions[number] for number in ranked)
            names = {word for each in types for word in words(f"{each.type} {each.display_name}")}
            unnamed = tuple(
                word
                for word, terms in self._texts.terms(query).items()
                if not all({term, *synonyms(term)} & names for term in terms)
            )
        return NodeMatches([self.definitions[number] for number in ranked], unnamed)

    def _replacements(self, numbers: Iterable[int]) -> list[tuple[int, int]]:
        """Return the pairs of a replaced type among `numbers` and its replacement."""
        return [
            (number, new)
            for number in numbers
            if (name := self.replaced_by.get(self.definitions[number].type)) is not None
            for new in self.by_name.get(squeeze(name), ())
            if self.definitions[new].type == name
        ]

    def _worth(self, number: int, unwanted: frozenset[str], outputs: frozenset[str]) -> float:
        """Return the factor by which a match of this node counts, beside how well it matches."""
        worth = _standing(self.definitions[number])
        if any(unwanted & own for own in self.name_parts[number]):
            worth *= _UNWANTED
        if outputs:
            worth *= 1 + _GIVES * len(outputs & self.outputs[number]) / len(outputs)
        return worth

    def find_by_name(self, name: str) -> list[NodeDefinition]:
        """Return the types whose name or display name is this one, ignoring case, spaces and punctuation."""
        return [self.definitions[number] for number in self.by_name.get(squeeze(name), ())]

    def closest(self, name: str, *, limit: int = 5) -> list[str]:
        """Return names of installed types that may be meant: replacements, similar spellings, and types of the same
        words.

        Similar spellings come first unless all the words are known. Deprecated types come last.
        """
        alike = [
            self.definitions[number]
            for match in get_close_matches(squeeze(name), list(self.by_name), n=limit, cutoff=0.7)
            for number in self.by_name[match]
        ]
        matches = self.search(name)[:limit]
        is_known = all(map(self._texts.knows, self._texts.terms(name).values()))
        both = (matches, alike) if is_known else (alike, matches)
        found = [one for pair in zip_longest(*both) for one in pair if one]
        names = [definition.type for definition in sorted(found, key=self._is_old)]
        replacement = [self.replaced_by[name]] if name in self.replaced_by else []
        return list(dict.fromkeys((*replacement, *names)))[:limit]

    def _is_old(self, definition: NodeDefinition) -> bool:
        return definition.is_deprecated or definition.type in self.replaced_by


def _texts(definition: NodeDefinition, help_text: str) -> tuple[str, ...]:
    """Return one text for each weight."""
    slots = [
        *(slot.name for slot in definition.inputs),
        *_of_choices(definition.inputs),
        *(output.type for output in definition.outputs),
    ]
    return (
        definition.type,
        f"{definition.display_name} {squeeze(definition.display_name)}",
        " ".join((plain_words_of(definition), *definition.search_aliases)),
        definition.category,
        " ".join(slots),
        first_words(definition.description),
        help_text,
        definition.package or "",
    )


def _of_choices(inputs: Iterable[NodeInput]) -> Iterator[str]:
    """Yield once each the options that bring inputs and the names of these inputs."""
    choices = [option for given in flatten_inputs(inputs) for option in given.options or ()]
    names = (slot.name.rpartition(".")[2] for option in choices for slot in option.inputs)
    yield from dict.fromkeys((*(option.key for option in choices), *names))


def _name_parts(definition: NodeDefinition) -> tuple[frozenset[str], ...]:
    """Return the words of both names, by whose share in the query SaveImage ranks before SaveImageDataSetToFolder."""
    names = (definition.type, definition.display_name)
    return tuple({frozenset(parts(name)) or frozenset({name}) for name in names})


def _output_words(definition: NodeDefinition) -> frozenset[str]:
    return frozenset(
        word for output in definition.outputs for text in (output.name, output.type) for word in parts(text)
    )


def _standing(definition: NodeDefinition) -> float:
    if definition.price:
        return _PAID
    if definition.is_experimental:
        return 0.9
    return 1.05 if definition.is_basic else 1.0


@cache
def plain_words(file: Path = WORDS_FILE) -> Mapping[str, str]:
    """Return the everyday names by node type. The file is read once, when the first index is built."""
    names = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        node_type, colon, name = line.partition(": ")
        if colon and not line.startswith("#"):
            names[node_type] = name
    return MappingProxyType(names)


def plain_words_of(definition: NodeDefinition) -> str:
    """Return the everyday name of a type; a package's type does not get that of a ComfyUI type of the same name."""
    own = definition.package is None
    words = plain_words().get(definition.type, "") if own else ""
    return words or (
        "" if own and not definition.is_page_only else plain_words(PACKAGES_FILE).get(definition.type, "")
    )

"""Ranked search over node types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from heapq import nlargest
from itertools import zip_longest

from .node_definition import NodeDefinition
from .plain_words import plain_words
from .text_index import TextIndex
from .words import parts, squeeze

_WEIGHTS = (8.0, 8.0, 6.0, 3.0, 1.5, 3.0, 1.0, 2.5)
_WHOLE_NAME, _NAMED_SHARE = 1_000.0, 5.0
_RANKED_BY_NAME = 300


@dataclass(frozen=True)
class NodeIndex:
    """A full text index in memory. Searches may come from any thread."""

    definitions: tuple[NodeDefinition, ...]
    by_name: Mapping[str, tuple[int, ...]]
    name_parts: tuple[tuple[frozenset[str], ...], ...]
    _texts: TextIndex = field(repr=False, compare=False)

    @classmethod
    def build(
        cls,
        definitions: Iterable[NodeDefinition],
        *,
        help_text: Callable[[str], str] = lambda _: "",
        breathe: Callable[[], None] = lambda: None,
    ) -> NodeIndex:
        """`help_text` gives the first paragraph of a node type's help page; `breathe` is called often."""
        entries = tuple(definitions)
        by_name: dict[str, list[int]] = {}
        name_parts: list[tuple[frozenset[str], ...]] = []
        for number, definition in enumerate(entries):
            name_parts.append(_name_parts(definition))
            for name in dict.fromkeys((squeeze(definition.type), squeeze(definition.display_name))):
                by_name.setdefault(name, []).append(number)
            breathe()
        return cls(
            definitions=entries,
            by_name={name: tuple(numbers) for name, numbers in by_name.items()},
            name_parts=tuple(name_parts),
            _texts=TextIndex.build(
                (_texts(definition, help_text(definition.type)) for definition in entries),
                weights=_WEIGHTS,
                breathe=breathe,
            ),
        )

    def search(self, query: str) -> list[NodeDefinition]:
        """All node types that match, best first."""
        matches = self._texts.find(query)
        scores = {
            number: score * _standing(self.definitions[number]) for number, score in matches.scores.items()
        }
        for number in self.by_name.get(squeeze(query), ()):
            scores[number] = scores.get(number, 0.0) + _WHOLE_NAME

        def rank(number: int) -> tuple[bool, float, int, str]:
            definition = self.definitions[number]
            named_share = max(len(own & matches.meanings) / len(own) for own in self.name_parts[number])
            is_last = definition.is_deprecated and definition.type != query
            return (
                is_last,
                -scores[number] - _NAMED_SHARE * named_share,
                len(definition.type),
                definition.type,
            )

        likely = nlargest(_RANKED_BY_NAME, scores, key=scores.__getitem__)
        rest = scores.keys() - set(likely)
        return [self.definitions[number] for number in (*sorted(likely, key=rank), *sorted(rest))]

    def find_by_name(self, name: str) -> list[NodeDefinition]:
        """The types whose name or display name is this one, but for case, spaces and punctuation."""
        return [self.definitions[number] for number in self.by_name.get(squeeze(name), ())]

    def closest(self, name: str, *, limit: int = 5) -> list[str]:
        """Names of installed types that somebody may have meant: spelled alike, or made of the same words."""
        alike = [
            self.definitions[number].type
            for match in get_close_matches(squeeze(name), list(self.by_name), n=limit, cutoff=0.7)
            for number in self.by_name[match]
        ]
        matches = [definition.type for definition in self.search(" ".join(parts(name)))[:limit]]
        names = (one for pair in zip_longest(alike, matches) for one in pair if one)
        return list(dict.fromkeys(names))[:limit]


def _texts(definition: NodeDefinition, help_text: str) -> tuple[str, ...]:
    """One text for each weight."""
    plain = plain_words().get(definition.type, "") if definition.package is None else ""
    slots = [*(slot.name for slot in definition.inputs), *(output.type for output in definition.outputs)]
    return (
        definition.type,
        f"{definition.display_name} {squeeze(definition.display_name)}",
        " ".join((plain, *definition.search_aliases)),
        definition.category,
        " ".join(slots),
        definition.description,
        help_text,
        definition.package or "",
    )


def _name_parts(definition: NodeDefinition) -> tuple[frozenset[str], ...]:
    """The words of both names: SaveImage comes before SaveImageDataSetToFolder by the share that was asked for."""
    names = (definition.type, definition.display_name)
    return tuple({frozenset(parts(name)) or frozenset({name}) for name in names})


def _standing(definition: NodeDefinition) -> float:
    if definition.is_experimental:
        return 0.9
    return 1.05 if definition.is_basic else 1.0

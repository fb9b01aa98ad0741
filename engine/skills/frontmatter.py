"""The front matter of a SKILL.md: a short YAML block between two lines of three hyphens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from ..text.unseen import with_unseen_shown
from ..text.whole_text import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

_MAX_CHARACTERS = 16_384
_MAX_DEPTH = 8
_MAX_VALUES = 500

FrontMatterValue = Union[str, "list[FrontMatterValue]", "dict[str, FrontMatterValue]"]


class BadFrontMatter(Exception):
    """The block breaks the rules below; the message is a sentence for who wrote it."""


@dataclass(frozen=True)
class Document:
    """`block` is None where the text does not begin with front matter, or with some that does not end."""

    block: str | None
    body: str
    is_unclosed: bool = False


def split_document(text: str) -> Document:
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return Document(block=None, body=text)
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return Document(
                block="\n".join(lines[1:number]), body="\n".join(lines[number + 1 :]).lstrip("\n")
            )
    return Document(block=None, body=text, is_unclosed=True)


def parse_block(block: str) -> dict[str, FrontMatterValue]:
    """Keys and values as the text that is written there, in whole characters. Raises `BadFrontMatter`.

    Built from PyYAML's stream of events, without its composer and constructor: nothing is guessed
    (`no` stays "no", a date stays text), no object is made, no alias is expanded, and a hostile block is
    refused at the event that breaks a limit instead of after it was read whole.
    """
    if len(block) > _MAX_CHARACTERS:
        raise BadFrontMatter(
            f"The front matter has {len(block):,} characters; {_MAX_CHARACTERS:,} are allowed."
        )
    import yaml

    try:
        return _parse(block, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        pass  # The slower parser says what is wrong in words that are the same everywhere.
    try:
        return _parse(block, yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise BadFrontMatter(f"The front matter is not valid YAML{_where(error)}.") from error


def _parse(block: str, loader: Any) -> dict[str, FrontMatterValue]:
    import yaml

    value = _Events(yaml.parse(block, Loader=loader)).document()
    if not isinstance(value, dict):
        raise BadFrontMatter("The front matter holds no `key: value` lines.")
    return value


class _Events:
    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._values = 0

    def document(self) -> FrontMatterValue:
        import yaml

        value: FrontMatterValue = {}
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent) and event.explicit:
                raise BadFrontMatter("The front matter holds more than one YAML document.")
            if isinstance(event, (yaml.NodeEvent, yaml.CollectionStartEvent)):
                value = self._value(event, depth=1)
        return value

    def _value(self, event: Any, *, depth: int) -> FrontMatterValue:
        import yaml

        self._values += 1
        if self._values > _MAX_VALUES:
            raise BadFrontMatter(f"The front matter holds more than {_MAX_VALUES} values.")
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise BadFrontMatter("The front matter uses YAML anchors (& or *), which are not allowed.")
        if event.tag is not None:
            raise BadFrontMatter("The front matter uses a YAML tag (!), which is not allowed.")
        if isinstance(event, yaml.ScalarEvent):
            return with_unseen_shown(whole_text(event.value))
        if depth >= _MAX_DEPTH:
            raise BadFrontMatter(f"The front matter is nested deeper than {_MAX_DEPTH} levels.")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(depth + 1)
        return self._mapping(depth + 1)

    def _list(self, depth: int) -> list[FrontMatterValue]:
        import yaml

        items: list[FrontMatterValue] = []
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._value(event, depth=depth))
        return items

    def _mapping(self, depth: int) -> dict[str, FrontMatterValue]:
        import yaml

        values: dict[str, FrontMatterValue] = {}
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._value(event, depth=depth)
            if not isinstance(key, str):
                raise BadFrontMatter("The front matter has a key that is not plain text.")
            if key in values:
                raise BadFrontMatter(f'The front matter has the key "{key[:60]}" twice.')
            values[key] = self._value(next(self._events), depth=depth)
        return values


def _where(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None)
    line = f" in line {mark.line + 2}" if mark is not None else ""
    return f"{line} ({problem})" if problem else line

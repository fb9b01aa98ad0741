"""The front matter of a SKILL.md: a short YAML block between two lines of three hyphens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from ...base.text.portable_text import reveal_invisible, valid_unicode

if TYPE_CHECKING:
    from collections.abc import Iterable

    import yaml

_MAX_CHARACTERS = 16_384
_MAX_DEPTH = 8

FrontMatterValue = Union[str, "list[FrontMatterValue]", "dict[str, FrontMatterValue]"]


class BadFrontMatter(Exception):
    """The error that the block breaks the rules below; its message is a sentence for the author."""


@dataclass(frozen=True)
class Document:
    """A file split in two. `block` is None if the text has no front matter, or front matter without an end."""

    block: str | None
    body: str
    is_unclosed: bool = False


def split_document(text: str) -> Document:
    """Split a text into front matter and body."""
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
    """Return keys and values as the text that is written there, with invisible letters replaced.

    PyYAML's base loader guesses nothing (`no` stays "no", a date stays text) and creates no objects. The parser's
    events are checked first, so that a hostile block is refused before anything is built from it.

    Raises:
        BadFrontMatter: the block breaks a rule, or is no YAML.
    """
    if len(block) > _MAX_CHARACTERS:
        raise BadFrontMatter(
            f"The front matter has {len(block):,} characters; {_MAX_CHARACTERS:,} are allowed."
        )
    import yaml

    try:
        _check(yaml.parse(block, Loader=yaml.BaseLoader))
        value = yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts, lists and maps
    except yaml.YAMLError as error:
        raise BadFrontMatter(f"The front matter is not valid YAML{_error_place(error)}.") from error
    if not isinstance(value, (dict, type(None))):
        raise BadFrontMatter("The front matter holds no `key: value` lines.")
    return _clean(value or {})


def _check(events: Iterable[Any]) -> None:
    import yaml

    depth = 0
    for event in events:
        if getattr(event, "anchor", None) is not None:
            raise BadFrontMatter("The front matter uses YAML anchors (& or *), which are not allowed.")
        if getattr(event, "tag", None) is not None:
            raise BadFrontMatter("The front matter uses a YAML tag (!), which is not allowed.")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth >= _MAX_DEPTH:
            raise BadFrontMatter(f"The front matter is nested deeper than {_MAX_DEPTH} levels.")


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {_clean(key): _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    return reveal_invisible(valid_unicode(value))


def _error_place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None)
    line = f" in line {mark.line + 2}" if mark is not None else ""
    return f"{line} ({problem})" if problem else line

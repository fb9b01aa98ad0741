"""What a reader makes of the lines that `getWorkflowInfo` and `applyWorkflow` show: only what stands there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from bench.listed_lines import split_words, whole_lines

_HEAD = re.compile(r"[A-Za-z0-9_-]+ \S")
_CUT = re.compile(r"…\+\d+")
_MODES = ("bypassed", "muted")


@dataclass(frozen=True)
class Source:
    node: str
    """`input` where it is the subgraph's own edge."""
    slot: str | None = None
    """Not written where the node has one output, or one that is called like the input."""


@dataclass
class ListedNode:
    """One line. `place` is the path of the subgraph node that it lies in, empty for the workflow's own graph."""

    id: str
    type: str
    place: str = ""
    title: str | None = None
    mode: str = "active"
    is_installed: bool = True
    links: dict[str, Source] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    open_inputs: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"{self.place}:{self.id}" if self.place else self.id


@dataclass
class Listing:
    nodes: list[ListedNode] = field(default_factory=list)
    is_outline: bool = False
    subgraphs: set[str] = field(default_factory=set)
    """The words that stand for a subgraph in the place of a type."""

    def node(self, path: str) -> ListedNode | None:
        return next((node for node in self.nodes if node.path == path), None)

    def of_type(self, *types: str) -> list[ListedNode]:
        return [node for node in self.nodes if node.type in types]

    def readers(self, node: ListedNode, output: str) -> list[tuple[ListedNode, str]]:
        """The inputs that an output of a node feeds, in the same graph."""
        return [
            (reader, name)
            for reader in self.nodes
            if reader.place == node.place
            for name, source in reader.links.items()
            if source.node == node.id and (source.slot or name).casefold() == output.casefold()
        ]


def read_listing(text: str) -> Listing:
    """One entry for each line that is a node. A subgraph with several nodes is read at the first of them."""
    listing = Listing()
    place = ""
    for line in whole_lines(text):
        words = list(split_words(line))
        if line.startswith("subgraph "):
            listing.subgraphs.add(words[1])
            at = words.index("at") if "at" in words else None
            place = words[at + 1] if at is not None and at + 1 < len(words) else ""
        elif line == "end":
            place = ""
        elif line.startswith("# inside "):
            place = words[2]
        elif _HEAD.match(line) and not line.startswith("group "):
            try:
                node = _read_node(words, place)
            except (ValueError, IndexError):
                continue  # The beginning or the end of a line that something was cut out of.
            listing.is_outline |= any(word.startswith("<") for word in words)
            listing.nodes.append(node)
    return listing


def _read_node(words: list[str], place: str) -> ListedNode:
    node = ListedNode(id=words[0], type=_unquoted(words[1]), place=place)
    for word in words[2:]:
        name, sign, rest = _split_at_sign(word)
        if sign == "<" and name:
            if rest.startswith("?"):
                node.open_inputs.append(name)
            else:
                node.links[name] = _read_source(rest)
        elif sign == "=":
            node.values[name] = read_value(rest)
        elif word in _MODES:
            node.mode = word
        elif word == "uninstalled":
            node.is_installed = False
        elif word.startswith('"') and node.title is None:
            node.title = _unquoted(word)
    return node


def _split_at_sign(word: str) -> tuple[str, str, str]:
    match = re.match(r'("(?:[^"\\]|\\.)*"|[^<=>^"]*)([<=])(.*)$', word, re.DOTALL)
    return (_unquoted(match[1]), match[2], match[3]) if match else ("", "", "")


def _read_source(text: str) -> Source:
    node, _, slot = text.partition(".")
    return Source(node, _unquoted(slot) if slot else None)


def read_value(text: str) -> Any:
    """A value as it stands; one that was cut comes back as None, since nobody can say what it is."""
    text = re.sub(r"\((?:missing|unused)[^)]*\)$", "", text)
    if _CUT.search(text):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _unquoted(word: str) -> str:
    return json.loads(word) if word.startswith('"') else word

"""Resolution of names that a model wrote to values, nodes, slots and node types.

An exact name always wins. Otherwise the name is matched by its words, then by similar spelling, where only one thing
matches. An ambiguous name is refused with the candidates. Names are compared without regard to language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import TypeVar

from ..comfy.node_definition import NodeDefinition
from ..comfy.snapshot import Environment
from .names import Value, prompt_role, titles
from .open_workflow import Node, Workflow

_ALIKE, _NEAR = 0.8, 0.6
_MOST_OTHERS = 12
_MOST_TYPES = 4
_LONGEST_NAME = 60
_NUMBER = re.compile(r"\d+")


_Thing = TypeVar("_Thing")


class NotFound(Exception):
    """The error that nothing has the name, or more than one thing.

    `candidates` are the possible ones, "" for one without a name yet; `others` are the first of all the rest, and
    `more` counts those beyond them.
    """

    def __init__(self, candidates: Sequence[str], others: Sequence[str] = (), more: int = 0) -> None:
        super().__init__()
        self.candidates = list(candidates)
        self.others = list(others)
        self.more = more


def resolve_value(values: Sequence[Value], name: str) -> Value:
    """Return the value of this name.

    Raises:
        NotFound: no value or several have this name.
    """
    if named := [value for value in values if value.name == name]:
        return named[0]
    head, dot, _ = name.partition(".")
    of_node = [value for value in values if dot and value.node.id == head.strip()]
    newest_first = sorted(of_node or values, key=lambda value: bool(value.shown))
    return _only(name, newest_first, _names_of_value, _shown_value)


def _shown_value(value: Value) -> str:
    return "" if value.node.is_new and value.name == value.key else value.name


def resolve_node(workflow: Workflow, name: str) -> Node:
    """Return the node of this id or name.

    Raises:
        NotFound: no node or several have this name.
    """
    if node := workflow.node(name.strip().removeprefix("#")):
        return node
    called = titles(workflow)

    def names(node: Node) -> list[str]:
        title, role = called[node.id], prompt_role(workflow, node)
        own = [title, node.label, node.type, *([f"{role} prompt"] if role else [])]
        own += [workflow.shown[node.id]] if workflow.shown and node.id in workflow.shown else []
        return [*own, *(f"{node.id} {each}" for each in own), f"node {node.id}"]

    return _only(
        name, workflow.nodes, names, lambda node: "" if node.is_new else f"{node.id} {called[node.id]}"
    )


def exact_node(workflow: Workflow, name: str) -> Node | None:
    """Return the node of this id, or the only one of this title, else None."""
    called = titles(workflow)
    named = [node for node in workflow.nodes if name in (called[node.id], node.label)]
    return workflow.node(name) or (named[0] if len(named) == 1 else None)


def resolve_type(environment: Environment, name: str) -> NodeDefinition:
    """Return the node type of this name.

    Raises:
        NotFound: no type or several have this name.
    """
    if exact := environment.node(name):
        return exact
    wanted = compact_name(name)
    known = (*environment.nodes.values(), *environment.page_nodes.values())
    current = [definition for definition in known if not definition.is_deprecated]
    named = [each for each in current if wanted in (compact_name(each.type), compact_name(each.display_name))]
    if not named:
        spelled = {compact_name(each.type): each for each in current}
        named = [spelled[near] for near in get_close_matches(wanted, spelled, n=2, cutoff=0.9)]
    if len(named) == 1:
        return named[0]
    found = [each for each in environment.index.search(name) if not each.is_deprecated]
    raise NotFound([each.type for each in named], [each.type for each in found][:_MOST_TYPES])


def _only(
    name: str,
    things: Sequence[_Thing],
    names_of: Callable[[_Thing], Iterable[str]],
    shown: Callable[[_Thing], str],
) -> _Thing:
    """Return the only thing of this name. The first way of reading the name that matches anything decides.

    Raises:
        NotFound: nothing or several things match.
    """
    wanted = plain(name)
    words = set(wanted.split())
    is_named = any(not word.isdigit() for word in words)
    names = [(thing, [plain(each) for each in names_of(thing)]) for thing in things]

    def near(least: float) -> list[_Thing]:
        scored = [
            (max((_likeness(wanted, each) for each in own), default=0.0), thing) for thing, own in names
        ]
        best = max((score for score, _ in scored), default=0.0)
        return [thing for score, thing in scored if score == best >= least]

    readings: tuple[Callable[[], list[_Thing]], ...] = (
        lambda: [thing for thing, own in names if wanted in own],
        lambda: [thing for thing, own in names if is_named and words <= {*" ".join(own).split()}],
        lambda: near(_ALIKE),
    )
    for reading in readings:
        if found := reading():
            if len(found) == 1:
                return found[0]
            raise NotFound([shown(thing) for thing in found])
    others = [*filter(None, map(shown, things))]
    raise NotFound(
        [shown(thing) for thing in near(_NEAR)], others[:_MOST_OTHERS], max(0, len(others) - _MOST_OTHERS)
    )


def _names_of_value(value: Value) -> list[str]:
    own = [*filter(None, (value.name, value.base, value.shown, value.widget))]
    return [
        *own,
        *(
            f"{before}{between}{each}"
            for before in (value.node.label, value.node.type, value.node.id)
            for between in (" ", ".")
            for each in own
        ),
    ]


def _likeness(first: str, second: str) -> float:
    """Return the similarity from 0 to 1; 0 where numbers or word counts differ, since those are different names."""
    is_one = _NUMBER.findall(first) == _NUMBER.findall(second) and len(first.split()) == len(second.split())
    return SequenceMatcher(None, first, second).ratio() if is_one else 0.0


def compact_name(text: str) -> str:
    return plain(text).replace(" ", "")


def plain(text: str) -> str:
    """Return the text in lower case, with blanks in place of other separators."""
    return _plain_name(text) if len(text) <= _LONGEST_NAME else _spaced(text)


def _spaced(text: str) -> str:
    text = re.sub(
        r"(?<=[a-z\d])(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[A-Z][a-z])", " ", text.replace("LoRA", "Lora")
    )
    return " ".join(re.sub(r"[^\w.+]|_", " ", text.lower()).split())


_plain_name = lru_cache(maxsize=8_192)(_spaced)
"""The cached form for names, since each call compares with the names of all types: thousands with many packages."""

"""The environment: what is installed in the running ComfyUI at one moment, as an immutable value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .help_pages import HelpPages
from .load_failures import LoadFailure, failures_of
from .node_definition import NodeDefinition, TakenObject
from .search import NodeIndex, plain_words

_NAMED_TYPE = re.compile(r"`([A-Za-z]\w+)(?:\.[^`\n]*)?`")


@dataclass(frozen=True)
class Environment:
    """The node types, models and packages of ComfyUI at one moment.

    `unreadable` lists installed node types whose definition raised. `page_nodes` are types that only the page has;
    the index finds them too. `taken_objects` maps a type to the object that it takes, by the page, and `replaced_by`
    a type, installed or not, to the installed type that ComfyUI has in its place.
    """

    nodes: Mapping[str, NodeDefinition]
    models: Mapping[str, tuple[str, ...]]
    packages: tuple[str, ...]
    unreadable: tuple[str, ...]
    help_pages: HelpPages = field(repr=False, compare=False)
    index: NodeIndex = field(repr=False, compare=False)
    load_failures: tuple[LoadFailure, ...] = ()
    page_nodes: Mapping[str, NodeDefinition] = field(default_factory=dict)
    taken_objects: Mapping[str, TakenObject] = field(default_factory=dict)
    replaced_by: Mapping[str, str] = field(default_factory=dict)

    def node(self, name: str) -> NodeDefinition | None:
        return self.nodes.get(name) or self.page_nodes.get(name)

    def failures_of(self, name: str) -> dict[str, str]:
        """Return by node type the reasons why types of this name did not load."""
        return failures_of(name, self.load_failures)

    @classmethod
    def build(
        cls,
        nodes: Mapping[str, NodeDefinition],
        models: Mapping[str, tuple[str, ...]],
        *,
        packages: tuple[str, ...] = (),
        unreadable: tuple[str, ...] = (),
        help_pages: HelpPages | None = None,
        index: NodeIndex | None = None,
        load_failures: tuple[LoadFailure, ...] = (),
        page_nodes: Mapping[str, NodeDefinition] | None = None,
        taken_objects: Mapping[str, TakenObject] | None = None,
        replaced_by: Mapping[str, str] | None = None,
    ) -> Environment:
        in_page = dict(page_nodes or {})
        return cls(
            nodes=MappingProxyType(dict(nodes)),
            models=MappingProxyType(dict(models)),
            packages=packages,
            unreadable=unreadable,
            help_pages=help_pages or HelpPages(),
            index=index if index is not None else NodeIndex.build([*nodes.values(), *in_page.values()]),
            load_failures=load_failures,
            page_nodes=MappingProxyType(in_page),
            taken_objects=MappingProxyType(dict(taken_objects or {})),
            replaced_by=MappingProxyType(dict(replaced_by or {})),
        )


def missing_types(text: str, environment: Environment) -> str:
    """Return a last line for `text` that lists them with reasons; "" where there are none."""
    named = dict.fromkeys(_NAMED_TYPE.findall(text))
    absent = {
        name: " ".join(f"({reason})" for reason in environment.failures_of(name).values())
        for name in named
        if name not in environment.nodes and (name in plain_words() or environment.failures_of(name))
    }
    types = ", ".join(" ".join(filter(None, pair)) for pair in absent.items())
    return f"\n\nNot installed here: {types}." if types else ""

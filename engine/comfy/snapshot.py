"""What is installed in the running ComfyUI, at one moment, as one immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .help_pages import HelpPages
from .load_failures import LoadFailure, failures_of
from .node_definition import NodeDefinition, TakenObject
from .search import NodeIndex


@dataclass(frozen=True)
class Environment:
    """`unreadable` holds node types whose definition raised: installed, but not described here. `page_nodes` are those
    that only the page has; the index finds them, too. `taken_objects` is by type what the page tells that it takes,
    `replaced_by` by type, installed or not, the installed one that ComfyUI has in its place.
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
        """By node type, why those did not load that are called so."""
        return failures_of(name, self.load_failures)

    @classmethod
    def of(
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

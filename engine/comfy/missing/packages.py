"""The package of each missing node type, as noted on the nodes by the editor."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..workflow_needs import nodes_of

CORE = "comfy-core"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")


@dataclass
class NamedPackage:
    """A package. `id` is that of the registry, or `owner/name` on GitHub; "" where the workflow names none."""

    id: str = ""
    version: str = ""
    types: list[str] = field(default_factory=list)

    @property
    def is_core(self) -> bool:
        return self.id == CORE


def packages_of(workflow: Mapping[str, Any], types: Collection[str]) -> list[NamedPackage]:
    """Group the node types by package, each once; types without a package come last, together."""
    packages: dict[str, NamedPackage] = {}
    placed: set[str] = set()
    for node in nodes_of(workflow):
        node_type = str(node.get("type") or "")
        name, version = named_package(node)
        if node_type not in types or node_type in placed or not name:
            continue
        placed.add(node_type)
        packages.setdefault(name, NamedPackage(name, version)).types.append(node_type)
    rest = [one for one in dict.fromkeys(types) if one not in placed]
    return [*packages.values(), *([NamedPackage(types=rest)] if rest else [])]


def named_package(node: Mapping[str, Any]) -> tuple[str, str]:
    """Return the id and version of a node's package, each "" where the node does not name it."""
    properties = node.get("properties")
    if not isinstance(properties, Mapping):
        return "", ""
    registered, repository = str(properties.get("cnr_id") or ""), str(properties.get("aux_id") or "")
    version = str(properties.get("ver") or "")[:60]
    if _ID.fullmatch(registered):
        return registered, version
    return (repository, version) if _REPOSITORY.fullmatch(repository) else ("", "")

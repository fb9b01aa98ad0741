"""The packages that the editor notes on nodes: of missing node types, and those installed in an older version."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..workflow_needs import list_nodes

CORE = "comfy-core"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")

_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9}){1,3}")
_SECTION = re.compile(r"^\[project\]\s*$(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"""^(name|version)\s*=\s*["']([^"'\n]{1,100})["']""", re.MULTILINE)
_LONGEST = 100_000


@dataclass
class NamedPackage:
    """A package. `id` is that of the registry, or `owner/name` on GitHub; "" where the workflow names none."""

    id: str = ""
    version: str = ""
    types: list[str] = field(default_factory=list)

    @property
    def is_core(self) -> bool:
        return self.id == CORE


def required_packages(workflow: Mapping[str, Any], types: Collection[str]) -> list[NamedPackage]:
    """Group the node types by package, each once; types without a package come last, together."""
    packages: dict[str, NamedPackage] = {}
    placed: set[str] = set()
    for node in list_nodes(workflow):
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


def outdated_packages(workflow: Mapping[str, Any], folders: Iterable[Path]) -> list[dict[str, str]]:
    """Return the outdated packages of active nodes, by registry id. `folders` are those of installed packages.
    Blocks.
    """
    named: dict[str, str] = {}
    for node in list_nodes(workflow):
        name, version = named_package(node)
        is_active = node.get("mode") in (None, 0)
        if is_active and name and name != CORE and _VERSION.fullmatch(version):
            named[name.casefold()] = max(named.get(name.casefold(), version), version, key=_numbers)
    if not named:
        return []
    installed = _installed_versions(folders)
    return [
        {"id": name, "installed": installed[name], "named": version}
        for name, version in named.items()
        if name in installed and _numbers(installed[name]) < _numbers(version)
    ]


def _installed_versions(folders: Iterable[Path]) -> dict[str, str]:
    """Return the versions in the packages' pyproject.toml, by the name under which the registry has them."""
    versions: dict[str, str] = {}
    for folder in folders:
        with contextlib.suppress(OSError):
            with (folder / "pyproject.toml").open(encoding="utf-8", errors="replace") as file:
                text = file.read(_LONGEST)
            section = _SECTION.search(text.replace("\r\n", "\n"))
            fields = dict(_FIELD.findall(section[1])) if section else {}
            if _VERSION.fullmatch(fields.get("version", "")) and "name" in fields:
                versions[fields["name"].casefold()] = fields["version"]
    return versions


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in version.split(".")]
    return (*numbers, *[0] * (4 - len(numbers)))

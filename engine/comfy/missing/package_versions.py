"""Packages that are installed in an older version than the workflow was made with, where both are numeric."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..workflow_needs import nodes_of
from .packages import CORE, named_package

_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9}){1,3}")
_SECTION = re.compile(r"^\[project\]\s*$(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"""^(name|version)\s*=\s*["']([^"'\n]{1,100})["']""", re.MULTILINE)
_LONGEST = 100_000


def outdated_packages(workflow: Mapping[str, Any], folders: Iterable[Path]) -> list[dict[str, str]]:
    """Return the outdated packages of active nodes, by registry id. `folders` are those of installed packages.
    Blocks.
    """
    named: dict[str, str] = {}
    for node in nodes_of(workflow):
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

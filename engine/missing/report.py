"""What is missing, as values: node types by package, model files with their source, and what would do instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..environment.snapshot import Environment
from ..environment.words import squeeze
from ..environment.workflow_needs import NeededModel, base_name, needs_of, nodes_of, substitutes
from .packages import NamedPackage, packages_of
from .templates_models import KnownModels

_MOST = 60


def report(
    workflow: Mapping[str, Any],
    environment: Environment,
    known_models: Callable[[], KnownModels],
    *,
    memory: int | None,
    size_of: Callable[[str, str], int | None],
) -> dict[str, Any]:
    """Of what takes part in a run. `size_of` tells how large an installed file is; `memory` is that of the device.

    `known_models` takes a while at first, so it is asked only where something is missing or too large.
    """
    needs = needs_of(workflow, only_active=True)
    absent = needs.missing_models(environment)
    large = [
        (model, folder, file, size)
        for model in needs.models
        for folder, file in _installed(model, environment)
        if memory and (size := size_of(folder, file) or 0) > memory
    ]
    known = known_models() if absent or large else KnownModels({})
    missing = [known.completed(model) for model in absent]
    packages = packages_of(workflow, needs.missing_node_types(environment))
    too_large = [
        {
            "name": model.name,
            "file": file,
            "folder": folder,
            "size": size,
            "variants": _variants(model, known, environment),
        }
        for model, folder, file, size in large
    ]
    return {
        "packages": [_package(package, environment) for package in packages[:_MOST]],
        "models": [_model(model, workflow, known, environment) for model in missing[:_MOST]],
        **({"more": more} if (more := max(0, len(missing) - _MOST)) else {}),
        "memory": memory,
        "tooLarge": too_large,
    }


def _package(package: NamedPackage, environment: Environment) -> dict[str, Any]:
    failures = {name: why for one in package.types for name, why in environment.failures_of(one).items()}
    names = {squeeze(package.id), squeeze(package.id.rpartition("/")[2])} - {""}
    return {
        "id": package.id,
        "version": package.version,
        "types": package.types,
        "isCore": package.is_core,
        "isInstalled": any(squeeze(name) in names for name in environment.packages),
        **({"failed": failures} if failures else {}),
    }


def _model(
    model: NeededModel, workflow: Mapping[str, Any], known: KnownModels, environment: Environment
) -> dict[str, Any]:
    return {
        "name": model.name,
        "file": base_name(model.name),
        "folder": model.folder,
        "url": model.url,
        "sha256": model.sha256,
        "nodes": _users(model, workflow),
        "instead": substitutes(model, environment),
        "variants": _variants(model, known, environment),
    }


def _variants(model: NeededModel, known: KnownModels, environment: Environment) -> list[dict[str, Any]]:
    here = {base_name(file) for file in environment.models.get(model.folder, ())}
    return [
        {
            "file": one.name,
            "folder": one.folder,
            "url": one.url,
            "sha256": one.sha256,
            "isInstalled": one.name in here,
        }
        for one in known.variants(model)
    ]


def _installed(model: NeededModel, environment: Environment) -> list[tuple[str, str]]:
    name = base_name(model.name).casefold()
    folders = [model.folder] if model.folder in environment.models else list(environment.models)
    found = [
        (folder, file)
        for folder in folders
        for file in environment.models[folder]
        if base_name(file).casefold() == name
    ]
    return found[:1]


def _users(model: NeededModel, workflow: Mapping[str, Any]) -> list[str]:
    users = []
    for node in nodes_of(workflow):
        values = node.get("widgets_values") or node.get("inputs") or ()
        chosen = values.values() if isinstance(values, Mapping) else values
        if any(isinstance(one, str) and base_name(one) == base_name(model.name) for one in chosen):
            users.append(f"{node.get('id', '')} {node.get('type') or node.get('class_type')}".strip())
    return users[:_MOST]

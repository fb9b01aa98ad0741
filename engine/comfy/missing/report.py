"""The report on what a workflow lacks: node types by package, model files with sources, and alternatives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..snapshot import Environment
from ..words import squeeze
from ..workflow_needs import NeededModel, base_name, find_needs, subgraph_names, substitutes
from .model_sources import KnownModels, sources_in_notes
from .packages import NamedPackage, required_packages

_MOST = 60


def report(
    workflow: Mapping[str, Any],
    environment: Environment,
    known_models: Callable[[], KnownModels],
    *,
    memory: int | None,
    size_of: Callable[[str, str], int | None],
) -> dict[str, Any]:
    """Report on the nodes that take part in a run. `size_of(folder, file)` and `memory`, the device's, are in bytes.

    `known_models` is slow the first time, so it is called only where something is missing or too large.
    """
    needs = find_needs(workflow, only_active=True)
    absent = needs.missing_models(environment)
    here = [
        (model, folder, file, size_of(folder, file) or 0)
        for model in needs.models
        for folder, file in model.places(environment)[:1]
    ]
    large = [each for each in here if memory and each[3] > memory]
    sizes = {file: size for _, _, file, size in here if size}
    known = known_models() if absent or large else KnownModels({})
    noted = sources_in_notes(workflow) if absent else {}
    missing = [
        *(_absent(known.add_source(model), noted, known, environment) for model in absent),
        *(_elsewhere(model, files) for model, files in needs.misplaced_models(environment)),
    ]
    names = subgraph_names(workflow)
    for each in missing:
        users = each["nodes"]
        each["nodes"] = [_node(user, names) for user in users[:_MOST]]
        if len(users) > _MOST:
            each["moreNodes"] = len(users) - _MOST
    missing_types = needs.missing_node_types(environment)
    replacements = environment.replaced_by
    replaced = [{"type": name, "by": replacements[name]} for name in missing_types if name in replacements]
    packages = required_packages(workflow, [name for name in missing_types if name not in replacements])
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
    more = {
        name: len(found) - _MOST
        for name, found in (("packages", packages), ("models", missing))
        if len(found) > _MOST
    }
    return {
        "packages": [_package(package, environment) for package in packages[:_MOST]],
        **({"replaced": replaced[:_MOST]} if replaced else {}),
        "models": missing[:_MOST],
        **({"more": more} if more else {}),
        "memory": memory,
        "tooLarge": too_large,
        "installed": [{"file": file, "size": sizes[file]} for file in sorted(sizes, key=sizes.__getitem__)][
            : -_MOST - 1 : -1
        ],
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


def _absent(
    model: NeededModel, noted: Mapping[str, str], known: KnownModels, environment: Environment
) -> dict[str, Any]:
    """Describe a missing model; a note's URL counts only where neither the workflow nor a template declares one."""
    note = "" if model.url else noted.get(base_name(model.name), "")
    return {
        **_model(model),
        "url": model.url or note,
        **({"isFromNote": True} if note else {}),
        "instead": substitutes(model, environment),
        "variants": _variants(model, known, environment),
    }


def _elsewhere(model: NeededModel, files: list[str]) -> dict[str, Any]:
    return {**_model(model), "url": "", "instead": files, "variants": [], "isElsewhere": True}


def _model(model: NeededModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "file": base_name(model.name),
        "folder": model.folder,
        "url": model.url,
        "sha256": model.sha256,
        "nodes": model.users,
        "types": list(dict.fromkeys(node_type for _, node_type in model.users)),
    }


def _node(user: tuple[str, str], names: Mapping[str, str]) -> str:
    node_id, node_type = user
    name = names.get(node_type)
    return f"{node_id} {node_type if name is None else f'subgraph {json.dumps(name, ensure_ascii=False)}'}".strip()


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

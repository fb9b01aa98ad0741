"""Pydantic models as the small JSON Schema that every provider accepts."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel

_DROPPED = frozenset({"title", "additionalProperties", "$defs"})
_FIRST = ("type", "description", "enum", "items", "properties", "required")


@cache
def minimal_parameters(model: type[BaseModel]) -> dict[str, Any]:
    """Return the model's fields as draft-7 without titles, references, type arrays or `additionalProperties`.

    Some providers refuse those, and each costs tokens in every request. The schema is cached, since making it takes
    milliseconds: callers must not change it.
    """
    schema = model.model_json_schema()
    minimal = _minimal(schema, schema.get("$defs", {}))
    parameters = {"type": "object", "properties": minimal.get("properties", {})}
    return {**parameters, "required": minimal["required"]} if minimal.get("required") else parameters


def _minimal(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in schema:
        schema = _without_null(schema)
    if "$ref" in schema:
        target = definitions[schema["$ref"].rsplit("/", 1)[-1]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    minimal = {
        key: value
        for key, value in schema.items()
        if key not in _DROPPED and not _is_null_default(key, value)
    }
    for key in ("items", "not"):
        if isinstance(minimal.get(key), dict):
            minimal[key] = _minimal(minimal[key], definitions)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in minimal:
            minimal[key] = [_minimal(option, definitions) for option in minimal[key]]
    if "properties" in minimal:
        minimal["properties"] = {
            name: _minimal(field, definitions) for name, field in minimal["properties"].items()
        }
    return {
        key: minimal[key]
        for key in (*_FIRST, *(key for key in minimal if key not in _FIRST))
        if key in minimal
    }


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    options = [option for option in schema["anyOf"] if option.get("type") != "null"]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**options[0], **rest} if len(options) == 1 else {**rest, "anyOf": options}


def _is_null_default(key: str, value: Any) -> bool:
    return key == "default" and value is None

"""Validation errors of pydantic models in words for whoever sent the value."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

_LONGEST_QUOTE = 40
_NOT_QUOTED = "writeOnly"

NOT_QUOTED: dict[str, Any] = {_NOT_QUOTED: True}
"""A marker for `Field(json_schema_extra=…)` of a field with a secret: no error quotes its value."""


def problems(model: type[BaseModel], error: ValidationError) -> list[str]:
    """Describe each wrong place: its value and the expected one, as "sizes[1].width is missing; expected a number"."""
    schema = _schema(model)
    by_place: dict[str, str] = {}
    for each in error.errors(include_url=False):
        field, place = _field_at(schema, each["loc"])
        if not each["loc"]:
            found = f"{{{', '.join(each['input'])}}}"[:_LONGEST_QUOTE]
        elif each["type"] == "missing":
            found = "missing"
        elif _NOT_QUOTED in field:
            found = "something else"
        else:
            found = _found(each["input"], is_too_long=each["type"] in ("string_too_long", "too_long"))
        reason = each.get("ctx", {}).get("error")
        expected = str(reason) if each["type"] == "value_error" else describe_field(field, schema)
        by_place.setdefault(place, f"{place} is {found}; expected {expected or 'another value'}")
    return list(by_place.values())


def field_names(model: type[BaseModel]) -> list[str]:
    """Return the names of the fields on the wire, with "?" behind optional ones."""
    return _names(_schema(model))


def field_forms(model: type[BaseModel]) -> list[tuple[str, str, str]]:
    """Return name, form and description of each field."""
    schema = _schema(model)
    return [
        (name, describe_field(field, schema), field.get("description", ""))
        for name, field in zip(_names(schema), schema.get("properties", {}).values(), strict=True)
    ]


def describe_field(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Describe a JSON Schema field in words; `schema` is the schema that holds its definitions."""
    field = _resolved(field, schema)
    if "enum" in field:
        return f"one of {', '.join(map(_quoted, field['enum']))}"
    if "anyOf" in field:
        return " or ".join(describe_field(option, schema) for option in field["anyOf"])
    match field.get("type"):
        case "string":
            return "a text" + _limits(field, "minLength", "maxLength", " characters")
        case "integer":
            return "a whole number" + _range(field)
        case "number":
            return "a number" + _range(field)
        case "boolean":
            return "true or false"
        case "array":
            each = describe_field(field.get("items", {}), schema)
            return "a list" + _limits(field, "minItems", "maxItems", "") + (f", each {each}" if each else "")
        case "object":
            names = _names(field)
            return f"an object {{{', '.join(names)}}}" if names else "an object"
    return ""


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _field_at(schema: dict[str, Any], loc: Iterable[str | int]) -> tuple[Mapping[str, Any], str]:
    """Return the field at `loc` and the place in words. Steps within a field of several types are left out."""
    field: Mapping[str, Any] = schema
    place = ""
    for step in loc:
        if isinstance(step, int):
            field, place = field.get("items", {}), f"{place}[{step}]"
        elif step in field.get("properties", {}):
            field, place = field["properties"][step], f"{place}.{step}"
        else:
            break
        field = _resolved(field, schema)
    return field, place.removeprefix(".") or "The body"


def _resolved(field: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the field without its reference, and without null where that stands for "left out"."""
    if options := [option for option in field.get("anyOf", ()) if option.get("type") != "null"]:
        own = {key: value for key, value in field.items() if key != "anyOf"}
        field = {**options[0], **own} if len(options) == 1 else {**own, "anyOf": options}
    if "$ref" in field:
        target = schema["$defs"][field["$ref"].rsplit("/", 1)[-1]]
        return {**target, **{key: value for key, value in field.items() if key != "$ref"}}
    return field


def _names(schema: Mapping[str, Any]) -> list[str]:
    required = schema.get("required", ())
    return [name if name in required else f"{name}?" for name in schema.get("properties", {})]


def _limits(field: Mapping[str, Any], least: str, most: str, unit: str) -> str:
    low, high = field.get(least), field.get(most)
    if high is None:
        return " that is not empty" if low else ""
    return f" of {low:,} to {high:,}{unit}" if low else f" of at most {high:,}{unit}"


def _range(field: Mapping[str, Any]) -> str:
    match field.get("minimum"), field.get("maximum"):
        case None, None:
            return ""
        case low, None:
            return f" of at least {low:,}"
        case None, high:
            return f" of at most {high:,}"
        case low, high:
            return f" from {low:,} to {high:,}"


def _found(value: Any, *, is_too_long: bool) -> str:
    match value:
        case str():
            return f"a text of {len(value):,}" if is_too_long else _quoted(value[:_LONGEST_QUOTE])
        case []:
            return "an empty list"
        case list():
            return f"a list of {len(value):,}"
        case dict():
            return "an object"
    return json.dumps(value)[:_LONGEST_QUOTE]


def _quoted(text: Any) -> str:
    return f'"{text}"'

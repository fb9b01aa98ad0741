"""The JSON body of a request as a model of its fields, and the error that answers a wrong one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

import pydantic
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from typing_extensions import Self

from .errors import RequestError

_LONGEST_QUOTE = 40
_NOT_QUOTED = "writeOnly"

Item = TypeVar("Item")
# Pydantic has it from 2.8 on.
ListOf = Annotated[list[Item], getattr(pydantic, "FailFast", object)()]
"""A list that is read up to the first wrong item: 100,000 errors would hold up ComfyUI's event loop."""

NOT_QUOTED: dict[str, Any] = {_NOT_QUOTED: True}
"""For `Field(json_schema_extra=…)` of a field with a secret: no error quotes its value."""


class Body(BaseModel):
    """The fields of a body, in camelCase where they are sent. Fields that the model lacks are ignored.

    `Field(description=…)` is what docs/api.md tells of a field, beside the form that follows from its type. A validator
    raises a ValueError that says what it expected, or a RequestError of its own.
    """

    model_config = ConfigDict(strict=True, frozen=True, alias_generator=to_camel, populate_by_name=True)

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """Return the fields of a parsed body.

        Raises:
            RequestError: `invalid_request`, with the place, what was found there and what was expected.
        """
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise _invalid(cls, error) from None

    @classmethod
    def fields(cls) -> list[tuple[str, str, str]]:
        """Return name, form and description of each field; the name ends with "?" where it may be left out."""
        schema = _schema(cls)
        return [
            (name, form_of(field, schema), field.get("description", ""))
            for name, field in zip(_names(schema), schema.get("properties", {}).values(), strict=True)
        ]


def form_of(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Return what a JSON Schema asks for, in words; `schema` is the one that holds its definitions."""
    field = _resolved(field, schema)
    if "enum" in field:
        return f"one of {', '.join(map(_quoted, field['enum']))}"
    if "anyOf" in field:
        return " or ".join(form_of(option, schema) for option in field["anyOf"])
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
            each = form_of(field.get("items", {}), schema)
            return "a list" + _limits(field, "minItems", "maxItems", "") + (f", each {each}" if each else "")
        case "object":
            names = _names(field)
            return f"an object {{{', '.join(names)}}}" if names else "an object"
    return ""


def _invalid(model: type[Body], error: ValidationError) -> RequestError:
    first = error.errors(include_url=False)[0]
    schema = _schema(model)
    field, place = _field_at(schema, first["loc"])
    if not first["loc"]:
        found = f"{{{', '.join(first['input'])}}}"[:_LONGEST_QUOTE]
    elif first["type"] == "missing":
        found = "missing"
    elif _NOT_QUOTED in field:
        found = "something else"
    else:
        found = _found(first["input"], is_too_long=first["type"] in ("string_too_long", "too_long"))
    reason = first.get("ctx", {}).get("error")
    expected = str(reason) if first["type"] == "value_error" else form_of(field, schema)
    return RequestError(
        "invalid_request",
        f"{place} is {found}; expected {expected or 'another value'}.",
        hint=f"Send {{{', '.join(_names(schema))}}}, as docs/api.md tells.",
    )


@cache
def _schema(model: type[Body]) -> dict[str, Any]:
    return model.model_json_schema()


def _field_at(schema: dict[str, Any], loc: Iterable[str | int]) -> tuple[Mapping[str, Any], str]:
    """Return the field at a place, and the place in words. The steps behind a field of several types are left out."""
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
    """The field without its reference, and without null where that stands for "left out"."""
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
    low, high = field.get("minimum"), field.get("maximum")
    return "" if low is None or high is None else f" from {low:,} to {high:,}"


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

"""The JSON body of a request as a model of its fields, and a message in it, checked before anything reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import pydantic
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from typing_extensions import Self

from .errors import RequestError
from .messages import Part, UIMessage, is_tool_part
from .validation import field_names, problems

Item = TypeVar("Item")
# Pydantic has FailFast from 2.8 on.
ListOf = Annotated[list[Item], getattr(pydantic, "FailFast", object)()]
"""A list that is validated up to the first wrong item: 100,000 errors would block ComfyUI's event loop."""


class Body(BaseModel):
    """The fields of a body, in camelCase on the wire. Fields that the model lacks are ignored.

    `Field(description=…)` is the text of docs/api.md on a field, beside the form that follows from its type. A
    validator raises a ValueError that says what it expected, or a RequestError of its own.
    """

    # The schema is built at the first request with such a body, so that ComfyUI's start does not wait for it.
    model_config = ConfigDict(
        strict=True, frozen=True, alias_generator=to_camel, populate_by_name=True, defer_build=True
    )

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """Return the fields of a parsed body.

        Raises:
            RequestError: `invalid_request`, with the place, what was found there and what was expected.
        """
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise RequestError(
                "invalid_request",
                f"{problems(cls, error)[0]}.",
                hint=f"Send {{{', '.join(field_names(cls))}}}, as docs/api.md tells.",
            ) from None


class PostedMessage(Body):
    """A message in a request, in the AI SDK's UIMessage form."""

    id: str = Field(min_length=1, max_length=128)
    role: Literal["system", "user", "assistant"]
    parts: ListOf[Part] = Field(min_length=1)
    metadata: Any = None

    def message(self, place: str) -> UIMessage:
        """Return the message with what we know of it; `place` is where it stands in its request.

        Raises:
            RequestError: `invalid_request` for a part of another form.
        """
        for index, part in enumerate(self.parts):
            check_part(part, f"{place}.parts[{index}]")
        message = UIMessage(id=self.id, role=self.role, parts=self.parts)
        if isinstance(self.metadata, dict):
            message["metadata"] = self.metadata
        return message


def check_part(part: Any, place: str) -> None:
    """Check one part of a message.

    Raises:
        RequestError: `invalid_request` with `place` and what was expected there.
    """
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise _invalid(place, part, "an object with a type")
    kind = part["type"]
    if kind in ("text", "reasoning") and not isinstance(part.get("text"), str):
        raise _invalid(f"{place}.text", part.get("text"), "a text")
    if kind == "file" and not (isinstance(part.get("url"), str) and isinstance(part.get("mediaType"), str)):
        raise _invalid(place, part, "a file part with url and mediaType")
    if is_tool_part(part):
        if not isinstance(part.get("toolCallId"), str) or not part["toolCallId"]:
            raise _invalid(f"{place}.toolCallId", part.get("toolCallId"), "the id of the call")
        if kind == "dynamic-tool" and not isinstance(part.get("toolName"), str):
            raise _invalid(f"{place}.toolName", part.get("toolName"), "the name of the tool")
        if not isinstance(part.get("state"), str):
            raise _invalid(f"{place}.state", part.get("state"), "the state of the call")


def _invalid(place: str, value: Any, expected: str) -> RequestError:
    description = (
        "nothing"
        if value is None
        else type(value).__name__
        if not isinstance(value, str)
        else f'"{value[:40]}"'
    )
    description = "an empty list" if value == [] else description
    return RequestError(
        "invalid_request",
        f"{place} is {description}; expected {expected}.",
        hint="Send messages in the AI SDK UIMessage form: {id, role, parts: [{type, …}]}.",
    )

"""The JSON body of a request as a model of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import pydantic
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from typing_extensions import Self

from .errors import RequestError
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

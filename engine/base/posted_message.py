"""A message as a request brings it, checked before anything reads it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from .errors import RequestError
from .messages import Part, UIMessage, is_tool_part
from .request_body import Body, ListOf


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

"""The chunks of the UI Message Stream v1, as far as this server sends them.

Source: `uiMessageChunkSchema` of the npm package `ai` (7.x). The reader refuses unknown types and `null` for an
optional field, so a field that has no value is left out.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from typing_extensions import NotRequired

from ..base.events import FinishReason


class Start(TypedDict):
    type: Literal["start"]
    messageId: NotRequired[str]
    messageMetadata: NotRequired[dict[str, Any]]


class StepMark(TypedDict):
    type: Literal["start-step", "finish-step", "reset-step"]


class TextMark(TypedDict):
    type: Literal["text-start", "text-end", "reasoning-start", "reasoning-end"]
    id: str


class Delta(TypedDict):
    type: Literal["text-delta", "reasoning-delta"]
    id: str
    delta: str


class ToolInputStart(TypedDict):
    type: Literal["tool-input-start"]
    toolCallId: str
    toolName: str
    providerExecuted: NotRequired[bool]


class ToolInputDelta(TypedDict):
    type: Literal["tool-input-delta"]
    toolCallId: str
    inputTextDelta: str


class ToolInput(TypedDict):
    type: Literal["tool-input-available"]
    toolCallId: str
    toolName: str
    input: Any
    providerExecuted: NotRequired[bool]
    providerMetadata: NotRequired[dict[str, Any]]


class ToolOutputAvailable(TypedDict):
    type: Literal["tool-output-available"]
    toolCallId: str
    output: Any
    providerExecuted: NotRequired[bool]


class DataPart(TypedDict):
    """A data part: `type` is `data-<name>`; a transient part reaches the panel's `onData` and is not stored."""

    type: str
    data: Any
    id: NotRequired[str]
    transient: NotRequired[bool]


class Error(TypedDict):
    type: Literal["error"]
    errorText: str


class Finish(TypedDict):
    type: Literal["finish"]
    finishReason: FinishReason
    messageMetadata: NotRequired[dict[str, Any]]


Chunk = (
    Start
    | StepMark
    | TextMark
    | Delta
    | ToolInputStart
    | ToolInputDelta
    | ToolInput
    | ToolOutputAvailable
    | DataPart
    | Error
    | Finish
)

"""The neutral events of one step, the same for every provider dialect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .extension_metadata import FlatCall
from .tool_result import ToolFailure

FinishReason = Literal["stop", "length", "content-filter", "tool-calls", "error", "interrupted", "other"]
NoticeCode = Literal[
    "length",
    "interrupted",
    "step-limit",
    "budget",
    "price-unknown",
    "loop",
    "retrying",
    "loading",
    "reading",
    "cut-off",
    "filtered",
    "call-unread",
    "other-model",
    "prompt-cut",
    "provider-gone",
    "other-origin",
    "memory-not-saved",
    "renders-hold-memory",
]


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True)
class StepReset:
    """The step's stream so far was misread and is about to be sent again in its right form."""


@dataclass(frozen=True)
class ToolCallStarted:
    call_id: str
    name: str


@dataclass(frozen=True)
class ToolCallDelta:
    call_id: str
    text: str


@dataclass(frozen=True)
class ToolCall:
    """A complete call of the model. `arguments` is the text that it wrote.

    `provider_id` and `extra_content` (Gemini's thought signatures) go back to the provider verbatim.
    """

    call_id: str
    name: str
    arguments: str
    provider_id: str
    extra_content: dict[str, Any] | None = None
    asked: FlatCall | None = None
    """The call that the model wrote, where it called a flat tool, which this one carries out."""


@dataclass(frozen=True)
class Usage:
    """The tokens of one request by the provider's count; `cached_tokens` is a part of `input_tokens`.

    `dollars` is the provider's charge, where it reports one.
    """

    input_tokens: int
    output_tokens: int
    cached_tokens: int | None = None
    dollars: float | None = None


@dataclass(frozen=True)
class Notice:
    """A sentence for the user that is not part of the answer."""

    code: NoticeCode
    message: str

    @property
    def is_transient(self) -> bool:
        return self.code in ("retrying", "loading", "reading", "renders-hold-memory")

    @property
    def part(self) -> dict[str, Any]:
        """The message part of this notice, in a stored message and in its stream."""
        return {"type": "data-notice", "data": {"code": self.code, "message": self.message}}


@dataclass(frozen=True)
class ReplyFinished:
    """The end of the provider's reply. `reason` is None where the stream was cut off without one."""

    reason: FinishReason | None
    calls: tuple[ToolCall, ...]
    usage: Usage | None


@dataclass(frozen=True)
class ToolInputAccepted:
    """A call that is run; its result may take up to `room` tokens.

    `untrusted` lists the sources of the texts by others that the model had read when it called.
    """

    call: ToolCall
    input: dict[str, Any]
    room: int | None = None
    untrusted: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToolInputRejected:
    """A call that is not run: an unknown tool, arguments that are no JSON object, or one call too many."""

    call: ToolCall
    result: ToolFailure


@dataclass(frozen=True)
class ToolOutput:
    call_id: str
    output: Any


@dataclass(frozen=True)
class Condensed:
    """The event that older parts of the conversation were condensed for this step: docs/api.md, data-compaction."""

    data: dict[str, Any]


@dataclass(frozen=True)
class ContextReport:
    """The parts of a request: docs/api.md, data-context. A report that `is_kept` stays in the panel's message."""

    data: dict[str, Any]
    is_kept: bool


ReplyEvent = TextDelta | ReasoningDelta | StepReset | ToolCallStarted | ToolCallDelta | Notice | ReplyFinished
StepEvent = ReplyEvent | ToolInputAccepted | ToolInputRejected | ToolOutput | Condensed | ContextReport

"""From neutral events to the parts of a UIMessage: what a reader of the stream ends with."""

from __future__ import annotations

from typing import Any

from ..events import (
    Condensed,
    Notice,
    ReasoningDelta,
    StepEvent,
    StepReset,
    TextDelta,
    ToolCall,
    ToolInputAccepted,
    ToolInputRejected,
    ToolOutput,
)

METADATA_KEY = "comfyuiAssistant"


def call_metadata(call: ToolCall) -> dict[str, Any] | None:
    """What a tool part carries of the provider's own, since some providers want it back verbatim."""
    own: dict[str, Any] = {"callId": call.provider_id} if call.provider_id else {}
    if call.extra_content:
        own["extraContent"] = call.extra_content
    return {METADATA_KEY: own} if own else None


class PartsBuilder:
    """The parts of one step, in the form in which the panel holds them and the thread log keeps them.

    While a step runs, the text of a part is the list of its pieces.
    """

    def __init__(self) -> None:
        self._parts: list[dict[str, Any]] = []

    def feed(self, event: StepEvent) -> None:
        if isinstance(event, TextDelta):
            self._grow("text", event.text)
        elif isinstance(event, ReasoningDelta):
            self._grow("reasoning", event.text)
        elif isinstance(event, StepReset):
            self._parts = [part for part in self._parts if part["type"] == "data-compaction"]
        elif isinstance(event, ToolInputAccepted):
            part = {
                "type": f"tool-{event.call.name}",
                "toolCallId": event.call.call_id,
                "state": "input-available",
                "input": event.input,
            }
            if metadata := call_metadata(event.call):
                part["callProviderMetadata"] = metadata
            self._parts.append(part)
        elif isinstance(event, ToolInputRejected):
            self._parts.append(
                {
                    "type": f"tool-{event.call.name}",
                    "toolCallId": event.call.call_id,
                    "state": "output-available",
                    "rawInput": event.call.arguments,
                    "output": event.result,
                    "providerExecuted": True,
                }
            )
        elif isinstance(event, ToolOutput):
            part = next(part for part in self._parts if part.get("toolCallId") == event.call_id)
            part.update(state="output-available", output=event.output, providerExecuted=True)
        elif isinstance(event, Condensed):
            self._parts.append({"type": "data-compaction", "data": event.data})
        elif isinstance(event, Notice) and not event.is_transient:
            self._parts.append(
                {"type": "data-notice", "data": {"code": event.code, "message": event.message}}
            )

    def parts(self) -> list[dict[str, Any]]:
        return [{"type": "step-start"}, *(_settled(part) for part in self._parts)]

    def text(self) -> str:
        return "".join(piece for part in self._parts if part["type"] == "text" for piece in part["text"])

    def _grow(self, kind: str, text: str) -> None:
        if self._parts and self._parts[-1]["type"] == kind:
            self._parts[-1]["text"].append(text)
        else:
            self._parts.append({"type": kind, "text": [text]})


def _settled(part: dict[str, Any]) -> dict[str, Any]:
    is_flow = part["type"] in ("text", "reasoning")
    return {**part, "text": "".join(part["text"]), "state": "done"} if is_flow else dict(part)

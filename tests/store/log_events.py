"""The events of a thread log, made short."""

from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.log.thread_writer import DraftPiece
from comfyui_assistant.engine.stream.parts import StepDelta


def user(message_id: str, text: str) -> LogEvent:
    return LogEvent("user", message_id, {"parts": [{"type": "text", "text": text}]})


def step(message_id: str, *parts: dict[str, Any]) -> LogEvent:
    return LogEvent("step", message_id, {"parts": [{"type": "step-start"}, *parts]})


def draft(thread_id: str, message_id: str, parts: list[dict[str, Any]]) -> list[DraftPiece]:
    """All of a draft in one piece."""
    return [DraftPiece(thread_id, message_id, StepDelta(number=0, keep=0, grow="", parts=parts))]


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value, "state": "done"}


def call(call_id: str) -> dict[str, Any]:
    return {
        "type": "tool-addNode",
        "toolCallId": call_id,
        "state": "input-available",
        "input": {"type": "A"},
    }


def result(message_id: str, call_id: str, summary: str) -> LogEvent:
    output = {"ok": True, "summary": summary, "data": {}}
    return LogEvent(
        "result", message_id, {"toolCallId": call_id, "state": "output-available", "output": output}
    )


def rewind(message_id: str) -> LogEvent:
    return LogEvent("rewind", message_id, {})

"""The encoder of neutral events as UI message chunks: a state machine that cannot leave a part open."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Literal

from typing_extensions import assert_never

from ..base.events import (
    Condensed,
    ContextReport,
    FinishReason,
    Notice,
    ReasoningDelta,
    ReplyFinished,
    StepEvent,
    StepReset,
    TextDelta,
    ToolCallDelta,
    ToolCallStarted,
    ToolInputAccepted,
    ToolInputRejected,
    ToolOutput,
)
from ..base.extension_metadata import CallMetadata
from .chunks import Chunk, DataPart, Start, ToolInput

Flow = Literal["text", "reasoning"]
_START: dict[Flow, Literal["text-start", "reasoning-start"]] = {
    "text": "text-start",
    "reasoning": "reasoning-start",
}
_DELTA: dict[Flow, Literal["text-delta", "reasoning-delta"]] = {
    "text": "text-delta",
    "reasoning": "reasoning-delta",
}
_END: dict[Flow, Literal["text-end", "reasoning-end"]] = {"text": "text-end", "reasoning": "reasoning-end"}


class Encoder:
    """Writes one response: `start`, then steps, then `finish` or `error`.

    Every method returns the chunks to send. Each step stands between `start-step` and `finish-step`, by which the AI
    SDK's loop tells the calls of one reply from those of the last; text and reasoning parts open with their first
    delta and close before anything else opens. A step that is reset sends its notices and dividers again, since a
    reader drops them with all the rest.
    """

    def __init__(self, *, message_id: str, server_tools: Set[str] = frozenset()) -> None:
        self._message_id = message_id
        self._server_tools = server_tools
        self._state: Literal["new", "between", "step", "over"] = "new"
        self._open: tuple[Flow, str] | None = None
        self._parts = 0
        self._announced_ids: set[str] = set()
        self._kept: list[Chunk] = []

    def start(self, metadata: dict[str, Any] | None = None) -> list[Chunk]:
        self._expect("new")
        self._state = "between"
        chunk: Start = {"type": "start", "messageId": self._message_id}
        return [{**chunk, "messageMetadata": metadata} if metadata else chunk]

    def start_step(self) -> list[Chunk]:
        self._expect("between")
        self._state = "step"
        self._kept = []
        return [{"type": "start-step"}]

    def finish_step(self) -> list[Chunk]:
        self._expect("step")
        self._state = "between"
        return [*self._close(), {"type": "finish-step"}]

    def finish(self, reason: FinishReason, metadata: dict[str, Any] | None = None) -> list[Chunk]:
        chunks = self._end_step()
        self._state = "over"
        return [*chunks, {"type": "finish", "finishReason": reason, "messageMetadata": metadata or {}}]

    def error(self, *, code: str, message: str, hint: str, retryable: bool) -> list[Chunk]:
        """End with a failure. It is legal in every state but `over`, so that a broken turn still ends well."""
        chunks = self.start() if self._state == "new" else self._end_step()
        self._state = "over"
        data = {"code": code, "message": message, "hint": hint, "retryable": retryable}
        text = f"{message}\n{hint}" if hint else message
        return [*chunks, {"type": "data-error", "data": data}, {"type": "error", "errorText": text}]

    def feed(self, event: StepEvent) -> list[Chunk]:
        if isinstance(event, Notice):
            notice = {"code": event.code, "message": event.message}
            chunks = self._data("notice", notice, is_transient=event.is_transient)
            if self._state == "step" and not event.is_transient:
                self._kept.append(chunks[-1])
            return chunks
        self._expect("step")
        if isinstance(event, TextDelta):
            return self._delta("text", event.text)
        if isinstance(event, ReasoningDelta):
            return self._delta("reasoning", event.text)
        if isinstance(event, StepReset):
            self._open = None
            self._announced_ids.clear()
            return [{"type": "reset-step"}, *self._kept]
        if isinstance(event, ToolCallStarted):
            return [*self._close(), self._tool_start(event)]
        if isinstance(event, ToolCallDelta):
            return [{"type": "tool-input-delta", "toolCallId": event.call_id, "inputTextDelta": event.text}]
        if isinstance(event, ToolInputAccepted):
            return [*self._close(), self._tool_input(event)]
        if isinstance(event, ToolInputRejected):
            return [*self._close(), *self._rejection(event)]
        if isinstance(event, ToolOutput):
            return [_output(event.call_id, event.output)]
        if isinstance(event, Condensed):
            chunks = self._data("compaction", event.data, is_transient=False)
            self._kept.append(chunks[-1])
            return chunks
        if isinstance(event, ContextReport):
            return self._data("context", event.data, is_transient=not event.is_kept)
        if isinstance(event, ReplyFinished):
            return self._close()
        assert_never(event)

    def _data(self, name: str, data: Any, *, is_transient: bool) -> list[Chunk]:
        part: DataPart = {"type": f"data-{name}", "data": data}
        if is_transient:
            part["transient"] = True
            return [part]
        return [*self._close(), part]

    def _delta(self, kind: Flow, text: str) -> list[Chunk]:
        chunks: list[Chunk] = []
        if self._open is None or self._open[0] != kind:
            chunks = self._close()
            self._parts += 1
            self._open = (kind, f"{kind}-{self._parts}")
            chunks.append({"type": _START[kind], "id": self._open[1]})
        chunks.append({"type": _DELTA[kind], "id": self._open[1], "delta": text})
        return chunks

    def _tool_start(self, event: ToolCallStarted) -> Chunk:
        self._announced_ids.add(event.call_id)
        if event.name in self._server_tools:
            return {
                "type": "tool-input-start",
                "toolCallId": event.call_id,
                "toolName": event.name,
                "providerExecuted": True,
            }
        return {"type": "tool-input-start", "toolCallId": event.call_id, "toolName": event.name}

    def _tool_input(self, event: ToolInputAccepted) -> Chunk:
        call = event.call
        chunk: ToolInput = {
            "type": "tool-input-available",
            "toolCallId": call.call_id,
            "toolName": call.name,
            "input": event.input,
        }
        if call.name in self._server_tools:
            chunk["providerExecuted"] = True
        if metadata := _call_metadata(event).as_json():
            chunk["providerMetadata"] = metadata
        return chunk

    def _rejection(self, event: ToolInputRejected) -> list[Chunk]:
        """Return the result of a rejected call in the usual form, the only one that has a code.

        It follows the streamed arguments, which are not sent as ready: a panel that loses the connection right then
        would run the call.
        """
        call = event.call
        chunks: list[Chunk] = []
        if call.call_id not in self._announced_ids:
            start, arguments = (
                ToolCallStarted(call.call_id, call.name),
                ToolCallDelta(call.call_id, call.arguments),
            )
            chunks = [*self.feed(start), *self.feed(arguments)]
        return [*chunks, _output(call.call_id, event.result)]

    def _close(self) -> list[Chunk]:
        if self._open is None:
            return []
        kind, part_id = self._open
        self._open = None
        return [{"type": _END[kind], "id": part_id}]

    def _end_step(self) -> list[Chunk]:
        return self.finish_step() if self._state == "step" else []

    def _expect(self, state: str) -> None:
        if self._state != state:
            raise RuntimeError(f"The stream is {self._state!r}; expected {state!r}.")


def _output(call_id: str, output: Any) -> Chunk:
    # Only tools that ran here, and calls that the server answered itself, report through the stream.
    return {
        "type": "tool-output-available",
        "toolCallId": call_id,
        "output": output,
        "providerExecuted": True,
    }


def _call_metadata(event: ToolInputAccepted) -> CallMetadata:
    call = event.call
    return CallMetadata(call.provider_id, call.extra_content, call.asked, event.room, event.untrusted)

"""A step as the bytes that go over the wire, each with the pause before it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from .scenario import Call, Comment, Delta, Frame, Raw, Say, Step, Think, Tokens, Wait
from .template import Values

STAMP = b"0000000000000000000"
"""Where the clock goes in a stamped piece: as many digits as `time.monotonic_ns()` can have."""

_NEWLINES = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


@dataclass(frozen=True)
class Piece:
    """Bytes to write after `pause` seconds; a stamped piece holds STAMP once."""

    pause: float
    data: bytes
    stamped: bool = False


@dataclass(frozen=True)
class Envelope:
    """What is the same in each chunk of one reply."""

    id: str
    model: str
    created: int

    def call_id(self, number: int) -> str:
        return f"call_{self.id[-12:]}_{number}"

    def chunk(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return self._object("chat.completion.chunk", [{"index": 0, "delta": delta, "finish_reason": finish}])

    def usage_chunk(self, usage: dict[str, Any]) -> dict[str, Any]:
        return {**self._object("chat.completion.chunk", []), "usage": usage}

    def completion(self, message: dict[str, Any], finish: str | None) -> dict[str, Any]:
        return self._object("chat.completion", [{"index": 0, "message": message, "finish_reason": finish}])

    def _object(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.model,
            "choices": choices,
        }


def streamed(
    step: Step, envelope: Envelope, values: Values, *, pace: float, prompt_tokens: int, include_usage: bool
) -> list[Piece]:
    newline = _NEWLINES[step.newline]
    pieces: list[Piece] = []
    pause = 0.0
    first_delta = True

    def add(payload: Any, *, stamped: bool = False, event: str | None = None) -> None:
        nonlocal pause
        text = (
            payload
            if isinstance(payload, str)
            else json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
        )
        head = f"event: {event}{newline}" if event else ""
        pieces.append(Piece(pause, f"{head}data: {text}{newline}{newline}".encode(), stamped))
        pause = 0.0

    for delta in _deltas(step, envelope, values, pace=pace):
        pause += delta.pause
        if isinstance(delta.payload, bytes):
            pieces.append(
                Piece(
                    pause, delta.payload.replace(b"\n", newline.encode()) if delta.framed else delta.payload
                )
            )
            pause = 0.0
        elif delta.payload is not None:
            if first_delta and delta.standard:
                add(envelope.chunk({"role": "assistant", "content": None if _only_calls(step) else ""}))
            first_delta = False
            add(delta.payload, stamped=delta.stamped, event=delta.event)
    if (finish := finish_reason(step)) is not None:
        add(envelope.chunk({}, finish))
    if (
        include_usage
        and step.end != "hang"
        and (usage := usage_of(step, prompt_tokens=prompt_tokens)) is not None
    ):
        add(envelope.usage_chunk(usage))
    if step.end == "done":
        add("[DONE]")
    if pause:
        pieces.append(Piece(pause, b""))
    return pieces


def whole(step: Step, envelope: Envelope, values: Values, *, prompt_tokens: int) -> dict[str, Any]:
    """The same reply for a request without `stream`. What is written frame by frame cannot be said whole."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    calls: list[dict[str, Any]] = []
    for part in step.reply:
        if isinstance(part, Say):
            message["content"] = (message["content"] or "") + "".join(_split(part.say, part.split, values))
        elif isinstance(part, Think):
            message[part.field] = message.get(part.field, "") + "".join(
                _split(part.think, part.split, values)
            )
        elif isinstance(part, Call):
            function = {"name": part.call, "arguments": _arguments(part, values)}
            calls.append(
                {"id": part.id or envelope.call_id(len(calls)), "type": "function", "function": function}
            )
    if calls:
        message["tool_calls"] = calls
    completion = envelope.completion(message, finish_reason(step))
    usage = usage_of(step, prompt_tokens=prompt_tokens)
    return completion if usage is None else {**completion, "usage": usage}


def finish_reason(step: Step) -> str | None:
    if step.finish == "none":
        return None
    if step.finish == "auto":
        return "tool_calls" if any(isinstance(part, Call) for part in step.reply) else "stop"
    return step.finish


def usage_of(step: Step, *, prompt_tokens: int) -> dict[str, Any] | None:
    if step.usage == "none":
        return None
    if step.usage != "auto":
        return dict(step.usage)
    output = 0
    for part in step.reply:
        if isinstance(part, Tokens):
            output += part.tokens
        elif isinstance(part, (Say, Think)):
            output += len(_split(part.say if isinstance(part, Say) else part.think, part.split))
        elif isinstance(part, (Call, Delta)):
            output += 8
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": output,
        "total_tokens": prompt_tokens + output,
    }


def cut_bytes(pieces: list[Piece], lengths: Iterator[int]) -> list[Piece]:
    """The same bytes in pieces of the given lengths, without pauses."""
    data = b"".join(piece.data for piece in pieces)
    cut: list[Piece] = []
    at = 0
    while at < len(data):
        length = next(lengths)
        cut.append(Piece(0.0, data[at : at + length]))
        at += length
    return cut


@dataclass(frozen=True)
class _Timed:
    """One delta on its way to a frame. Bytes go out as they are; `framed` ones take the step's line ends."""

    pause: float
    payload: Any = None
    standard: bool = False
    stamped: bool = False
    framed: bool = False
    event: str | None = None


def _deltas(step: Step, envelope: Envelope, values: Values, *, pace: float) -> Iterator[_Timed]:
    calls = 0
    pause = 0.0
    for part in step.reply:
        if isinstance(part, Wait):
            yield _Timed(part.wait)
        elif isinstance(part, (Say, Think)):
            text, name = (part.say, "content") if isinstance(part, Say) else (part.think, part.field)
            for delta in _split(text, part.split, values):
                yield _Timed(pause, envelope.chunk({name: delta}), standard=True)
                pause = pace
        elif isinstance(part, Call):
            for delta in _call_deltas(part, envelope, values, number=calls):
                yield _Timed(pause, envelope.chunk({"tool_calls": [delta]}), standard=True)
                pause = pace
            calls += 1
        elif isinstance(part, Tokens):
            yield from _token_deltas(part, envelope)
        elif isinstance(part, Delta):
            yield _Timed(pause, envelope.chunk(values.fill(part.delta), part.finish))
            pause = pace
        elif isinstance(part, Frame):
            yield _Timed(pause, values.fill(part.frame), event=part.event)
        elif isinstance(part, Comment):
            yield _Timed(pause, f": {part.comment}\n\n".encode(), framed=True)
        elif isinstance(part, Raw):
            yield _Timed(pause, part.raw.encode())


def _call_deltas(call: Call, envelope: Envelope, values: Values, *, number: int) -> Iterator[dict[str, Any]]:
    arguments = _arguments(call, values)
    identifier = call.id if call.id is not None else envelope.call_id(number)
    function = {"name": call.call, "arguments": ""}
    yield {"index": number, "id": identifier, "type": "function", "function": function}
    length = -(-len(arguments) // call.pieces) or 1
    for start in range(0, len(arguments), length):
        yield {"index": number, "function": {"arguments": arguments[start : start + length]}}


def _token_deltas(part: Tokens, envelope: Envelope) -> Iterator[_Timed]:
    stamp = f"@{STAMP.decode()}" if part.stamped else ""
    for number in range(part.tokens):
        chunk = envelope.chunk({"content": f"#{number}{stamp} "})
        yield _Timed(part.every, chunk, standard=True, stamped=part.stamped)


def _arguments(call: Call, values: Values) -> str:
    if isinstance(call.arguments, str):
        return call.arguments
    return json.dumps(values.fill(call.arguments), ensure_ascii=False)


def _split(
    text: str | list[str], how: Literal["words", "characters", "whole"], values: Values | None = None
) -> list[str]:
    if isinstance(text, list):
        return [str(values.fill(delta)) if values else delta for delta in text]
    if values is not None:
        text = str(values.fill(text))
    if how == "whole":
        return [text]
    return list(text) if how == "characters" else re.findall(r"\s*\S+|\s+$", text)


def _only_calls(step: Step) -> bool:
    return not any(isinstance(part, (Say, Think, Tokens)) for part in step.reply)

"""The rules by which the `ai` package reads a UI message stream, as far as our chunks reach."""

from __future__ import annotations

from typing import Any


class ReadingError(Exception):
    pass


def read(chunks: list[Any]) -> list[Any]:
    """The parts that a reader ends with. Raises `ReadingError` where the real reader would end the stream."""
    parts: list[Any] = []
    open_parts: dict[str, Any] = {}
    arguments: dict[str, str] = {}
    step_at = 0
    for position, chunk in enumerate(chunks):
        kind = chunk["type"]
        if None in chunk.values():
            raise ReadingError(f"null in {chunk}")
        if (kind == "start") != (position == 0):
            raise ReadingError("start is not the first chunk")
        if kind == "start-step":
            step_at = len(parts)
            parts.append({"type": "step-start"})
        elif kind == "reset-step":
            del parts[step_at + 1 :]
            open_parts.clear()
        elif kind in ("text-start", "reasoning-start"):
            if open_parts:
                raise ReadingError("a part is still open")
            part = {"type": kind.split("-")[0], "text": "", "state": "streaming"}
            open_parts[chunk["id"]] = part
            parts.append(part)
        elif kind in ("text-delta", "reasoning-delta"):
            if chunk["id"] not in open_parts:
                raise ReadingError("delta without start")
            open_parts[chunk["id"]]["text"] += chunk["delta"]
        elif kind in ("text-end", "reasoning-end"):
            if chunk["id"] not in open_parts:
                raise ReadingError("end without start")
            open_parts.pop(chunk["id"])["state"] = "done"
        elif kind == "tool-input-start":
            arguments[chunk["toolCallId"]] = ""
            parts.append(_tool(chunk))
        elif kind == "tool-input-delta":
            if chunk["toolCallId"] not in arguments:
                raise ReadingError("delta of an unknown call")
            arguments[chunk["toolCallId"]] += chunk["inputTextDelta"]
        elif kind == "tool-input-available":
            started = [part for part in parts if part.get("toolCallId") == chunk["toolCallId"]]
            if started:
                started[-1].update(_tool(chunk))
            else:
                parts.append(_tool(chunk))
        elif kind == "tool-output-available":
            call_id = chunk["toolCallId"]
            part = next((part for part in reversed(parts) if part.get("toolCallId") == call_id), None)
            if part is None:
                raise ReadingError("output of an unknown call")
            if part["state"] == "input-streaming":
                part["rawInput"] = arguments[call_id]
            part.update(state="output-available", output=chunk["output"], providerExecuted=True)
        elif kind.startswith("data-") and not chunk.get("transient"):
            parts.append({"type": kind, "data": chunk["data"]})
        elif kind == "error" and position != len(chunks) - 1:
            raise ReadingError("something follows an error")
    if open_parts:
        raise ReadingError("a part was left open")
    return parts


def _tool(chunk: Any) -> Any:
    part = {"type": f"tool-{chunk['toolName']}", "toolCallId": chunk["toolCallId"]}
    if chunk.get("providerExecuted"):
        part["providerExecuted"] = True
    if chunk["type"] == "tool-input-start":
        return {**part, "state": "input-streaming"}
    part |= {"state": "input-available", "input": chunk["input"]}
    if "providerMetadata" in chunk:
        part["callProviderMetadata"] = chunk["providerMetadata"]
    return part
